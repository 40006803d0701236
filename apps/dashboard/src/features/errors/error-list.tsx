import {
  type ErrorGroup,
  type ErrorSort,
  formatCount,
  formatCounted,
  formatThrownBy,
  type Order,
} from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { TimeRange } from '../../shell/time-range/time-range.ts';
import { RowCheckbox } from '../../ui/forms/row-checkbox.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { DataTable, type DataTableProps } from '../../ui/tables/data-table.tsx';
import type { TableColumn, TableSort } from '../../ui/tables/table-column.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { describeTrend } from '../../visuals/charts/describe-trend.ts';
import { Sparkline } from '../../visuals/charts/sparkline.tsx';
import type { MarkedRange } from '../../visuals/charts/time-marks.ts';
import { FilterLinks } from '../trace-list/index.ts';
import classes from './errors.module.css';
import { findErrorFilter } from './search.ts';
import { StateBadge } from './state-badge.tsx';

interface ErrorListProps extends Pick<DataTableProps<ErrorGroup>, 'sort' | 'onSort' | 'stale'> {
  readonly projectId: string;
  readonly errors: readonly ErrorGroup[];
  /** The time range of the counted requests. */
  readonly range: TimeRange;
  /** The releases to mark in the trends. */
  readonly marked: MarkedRange | undefined;
  /** Ids of the selected errors. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (errorId: string, isSelected: boolean) => void;
}

/**
 * Table with one row per error: its trend, its number of requests (with a link to these requests and a link to the other failed requests),
 * affected users, last and first occurrence, and last release.
 */
export function ErrorList({ projectId, errors, range, marked, selected, onSelect, ...rest }: ErrorListProps) {
  const check: TableColumn<ErrorGroup> = {
    name: 'Selected',
    hiddenHead: true,
    card: 'plain',
    className: classes.check,
    cell: ({ id, message }) => (
      <RowCheckbox
        aria-label={`Select ${escapeControlCharacters(message)}`}
        checked={selected.has(id)}
        onChange={({ currentTarget: { checked } }) => onSelect(id, checked)}
      />
    ),
  };
  const requests: TableColumn<ErrorGroup> = {
    name: 'Requests',
    kind: 'number',
    cell: (error) => (
      <span className={classes.requests}>
        {formatCount(error.count)} <FilterLinks {...findErrorFilter(projectId, error, range)} size={24} />
      </span>
    ),
  };
  const trend: TableColumn<ErrorGroup> = {
    name: 'Trend',
    className: classes.wide,
    cell: (error) => (
      <span className={classes.trend}>
        <Sparkline label={describeTrend(error.trend)} values={error.trend} tone="red" marked={marked} />
      </span>
    ),
  };
  return (
    <DataTable
      label="Errors"
      columns={[check, ABOUT, trend, requests, ...SEEN]}
      rows={errors}
      getKey={({ id }) => id}
      usualSort={{ column: 'last-seen', order: 'descending' }}
      {...rest}
    />
  );
}

/**
 * `ABOUT` is the column before the trend, `SEEN` are the columns after the number of requests. The columns have no sort function, because
 * the server sorts the rows; see `SORTS`.
 */
const ABOUT: TableColumn<ErrorGroup> = {
  name: 'Error',
  kind: 'text',
  card: 'title',
  className: classes.what,
  cell: (error) => <About error={error} />,
};
const SEEN: readonly TableColumn<ErrorGroup>[] = [
  { name: 'Users', kind: 'number', cell: ({ users }) => (users === 0 ? null : formatCount(users)) },
  { name: 'Last seen', kind: 'time', cell: ({ lastSeen }) => <Timestamp at={lastSeen} /> },
  { name: 'First seen', kind: 'time', cell: ({ firstSeen }) => <Timestamp at={firstSeen} /> },
  {
    name: 'Release',
    className: classes.wide,
    cell: ({ lastRelease }) => (lastRelease === '' ? null : escapeControlCharacters(lastRelease)),
  },
];

/** The API's sort key for each column by which the errors can be sorted. */
const SORTS: Readonly<Record<string, ErrorSort>> = {
  error: 'message',
  requests: 'count',
  users: 'users',
  'last-seen': 'lastSeen',
  'first-seen': 'firstSeen',
};

/** Returns the query parameters with which the server sorts the errors. */
export function toErrorOrder(sort: TableSort | undefined): {
  readonly sort?: ErrorSort;
  readonly order?: Order;
} {
  const by = sort === undefined ? undefined : SORTS[sort.column];
  return by === undefined || sort === undefined ? {} : { sort: by, order: sort.order };
}

function About({ error }: { readonly error: ErrorGroup }) {
  const { id, message, state, assignee } = error;
  return (
    <>
      <AnchorLink to="." search={(before) => ({ ...before, error: id })} className={classes.message}>
        {escapeControlCharacters(message)}
      </AnchorLink>
      <div className={classes.place}>
        <StateBadge state={state} />
        <span className={classes.placeText}>
          {describeError(error, assignee === null ? [] : [`Assigned to ${assignee.name}`])}
        </span>
      </div>
    </>
  );
}

/**
 * Describes an error in one line: its services and endpoint, its type, the function that threw it, and the number of merged errors. Appends
 * the texts of `more`.
 */
export function describeError(error: ErrorGroup, more: readonly string[] = []): string {
  const { thrownBy, merged } = error;
  const parts = [writePlace(error)];
  if (thrownBy !== null) parts.push(escapeControlCharacters(formatThrownBy(thrownBy)));
  if (merged.length > 0) parts.push(`${merged.length + 1} merged errors`);
  return [...parts, ...more].join(' · ');
}

const MAX_SERVICES = 3;

/** Returns an error's services and most affected endpoint, as one string. */
export function writePlace({ services, endpoint, endpoints }: ErrorGroup): string {
  const named = services.filter((service) => service !== '');
  const others = named.length - MAX_SERVICES;
  const place =
    named.slice(0, MAX_SERVICES).join(', ') +
    (others > 0 ? ` and ${formatCounted(others, 'more service')}` : '');
  const more = endpoints > 1 ? ` and ${formatCounted(endpoints - 1, 'more endpoint')}` : '';
  return escapeControlCharacters([place, endpoint + more].filter((part) => part !== '').join(' · '));
}
