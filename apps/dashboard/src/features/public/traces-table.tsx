import { formatCount, type TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { DurationText, MethodBadge, StatusBadge } from '../../ui/layout/badges.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { DataTable, type DataTableProps } from '../../ui/tables/data-table.tsx';
import type { TableColumn, TableSort } from '../../ui/tables/table-column.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import classes from './public-frame.module.css';

/** Width of the list in pixels below which each request is a card, not a table row. */
const CARDS_PX = 560;

/** The columns of the table. The server sorts the requests by the chosen column, the largest value first. */
const COLUMNS: readonly TableColumn<TraceRow>[] = [
  {
    name: 'Method',
    cell: ({ request }) => <MethodBadge method={escapeControlCharacters(request.method)} />,
  },
  {
    name: 'Route',
    card: 'title',
    className: classes.path,
    cell: ({ _id, request }) => (
      <AnchorLink to="/traces/$id" params={{ id: _id }} size="sm" className="mono">
        {escapeControlCharacters(request.path)}
      </AnchorLink>
    ),
  },
  {
    name: 'Status',
    cell: ({ response, error }) => <StatusBadge statusCode={response.statusCode} hasError={error.hasError} />,
  },
  {
    name: 'Duration',
    kind: 'number',
    oneOrder: true,
    cell: ({ timing }) => <DurationText ms={timing.duration} />,
  },
  {
    name: 'Timestamp',
    kind: 'time',
    oneOrder: true,
    cell: ({ timing }) => <Timestamp at={timing.startTime} />,
  },
  { name: 'Steps', kind: 'number', oneOrder: true, cell: ({ stepCount }) => formatCount(stepCount) },
];

type PublicSort = 'time' | 'duration' | 'steps';

/** The API's sort order for each column by which the requests can be sorted. */
const ORDERS: ReadonlyMap<string, PublicSort> = new Map([
  ['timestamp', 'time'],
  ['duration', 'duration'],
  ['steps', 'steps'],
]);

/**
 * Converts a column and direction from the URL to a sort order of the API. Returns undefined if the API has no such order, because a URL
 * can contain any column and direction.
 */
export function toPublicSort(sort: TableSort | undefined): PublicSort | undefined {
  return sort?.order === 'descending' ? ORDERS.get(sort.column) : undefined;
}

type PublicTracesProps = Pick<DataTableProps<TraceRow>, 'rows' | 'sort' | 'onSort' | 'stale'>;

/** Table of a public project's requests; each row links to the request's page. */
export function PublicTraces(props: PublicTracesProps) {
  return (
    <DataTable
      label="Traces"
      columns={COLUMNS}
      getKey={({ _id }) => _id}
      usualSort={{ column: 'timestamp', order: 'descending' }}
      cardsBelow={CARDS_PX}
      {...props}
    />
  );
}
