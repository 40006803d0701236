import { Table } from '@mantine/core';
import { type ErrorGroup, formatCount, formatCounted, formatThrownBy } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { WideTable } from '../../ui/tables/wide-table.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { describeTrend } from '../../visuals/charts/describe-trend.ts';
import { Sparkline } from '../../visuals/charts/sparkline.tsx';
import classes from './errors.module.css';
import { StateBadge } from './state-badge.tsx';

interface ErrorListProps {
  readonly errors: readonly ErrorGroup[];
  /** Ids of the selected errors. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (errorId: string, isSelected: boolean) => void;
}

/** Table with one row per error: trend, number of requests, affected users, last and first occurrence, and last release. */
export function ErrorList({ errors, selected, onSelect }: ErrorListProps) {
  return (
    <WideTable label="Errors, rows" minWidth={300}>
      <Table verticalSpacing="xs" aria-label="Errors" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.check}>
              <span className="visually-hidden">Selected</span>
            </Table.Th>
            <Table.Th>Error</Table.Th>
            <Table.Th className={classes.wide}>Trend</Table.Th>
            <Table.Th className={`${classes.figure} ${classes.notOnPhones}`}>Requests</Table.Th>
            <Table.Th className={`${classes.figure} ${classes.wide}`}>Users</Table.Th>
            <Table.Th className={classes.notOnPhones}>Last seen</Table.Th>
            <Table.Th className={classes.wide}>First seen</Table.Th>
            <Table.Th className={classes.wide}>Release</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {errors.map((error) => (
            <Row
              key={error.id}
              error={error}
              isSelected={selected.has(error.id)}
              onSelect={(isSelected) => onSelect(error.id, isSelected)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

interface RowProps {
  readonly error: ErrorGroup;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
}

function Row({ error, isSelected, onSelect }: RowProps) {
  const { id, message, count, users, trend, firstSeen, lastSeen, lastRelease, state, assignee } = error;
  return (
    <Table.Tr>
      <Table.Td className={classes.check}>
        <input
          type="checkbox"
          aria-label={`Select ${escapeControlCharacters(message)}`}
          checked={isSelected}
          onChange={({ currentTarget: { checked } }) => onSelect(checked)}
        />
      </Table.Td>
      <Table.Td className={classes.what}>
        <AnchorLink to="." search={(before) => ({ ...before, error: id })} className={classes.message}>
          {escapeControlCharacters(message)}
        </AnchorLink>
        <div className={classes.place}>
          <StateBadge state={state} />
          <span>{writePlace(error)}</span>
          <ThrownBy error={error} />
          <MergedCount error={error} />
          {assignee !== null && <span>Assigned to {assignee.name}</span>}
        </div>
        <div className={classes.onPhones}>
          {formatCounted(count, 'request')}, last <Timestamp at={lastSeen} />
        </div>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <span className={classes.trend}>
          <Sparkline label={describeTrend(trend)} values={trend} tone="red" />
        </span>
      </Table.Td>
      <Table.Td className={`${classes.figure} ${classes.notOnPhones}`}>{formatCount(count)}</Table.Td>
      <Table.Td className={`${classes.figure} ${classes.wide}`}>
        {users === 0 ? '–' : formatCount(users)}
      </Table.Td>
      <Table.Td className={classes.notOnPhones}>
        <Timestamp at={lastSeen} />
      </Table.Td>
      <Table.Td className={classes.wide}>
        <Timestamp at={firstSeen} />
      </Table.Td>
      <Table.Td className={classes.wide}>
        {lastRelease === '' ? '–' : escapeControlCharacters(lastRelease)}
      </Table.Td>
    </Table.Tr>
  );
}

/** Shows the type of an error, and the function that threw it. */
export function ThrownBy({ error: { thrownBy } }: { readonly error: ErrorGroup }) {
  return thrownBy === null ? null : <span>{escapeControlCharacters(formatThrownBy(thrownBy))}</span>;
}

/** Shows the number of errors that a merged error consists of. */
export function MergedCount({ error: { merged } }: { readonly error: ErrorGroup }) {
  return merged.length === 0 ? null : <span>{merged.length + 1} merged errors</span>;
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
