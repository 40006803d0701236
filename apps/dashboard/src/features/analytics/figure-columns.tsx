import { formatCount, formatRate } from '@throughline/contract';
import type { ReactNode } from 'react';
import type { ViewChange } from '../../shell/search-params.ts';
import { DurationText } from '../../ui/badges.tsx';
import type { RankColumn } from './rank-table.tsx';
import { TracesLink } from './traces-link.tsx';

type Having<Key extends string, Value> = { readonly [key in Key]: Value };

/** How many: the row's field of that key. */
export function countColumn<Key extends string>(name: string, key: Key): RankColumn<Having<Key, number>> {
  return { name, figure: true, cell: (row) => formatCount(row[key]) };
}

/** How many, as a link to the traces that are counted. */
export function tracedColumn<Key extends string, Row>(
  name: string,
  key: Key,
  tracesOf: (row: Row) => ViewChange,
): RankColumn<Row & Having<Key, number>> {
  return {
    name,
    figure: true,
    cell: (row) => {
      const count = formatCount(row[key]);
      return row[key] === 0 ? (
        count
      ) : (
        <TracesLink search={tracesOf(row)} label={`${name} ${count}: show traces`}>
          {count}
        </TracesLink>
      );
    },
  };
}

/** A percentage. */
export function rateColumn<Key extends string>(
  name: string,
  key: Key,
): RankColumn<Having<Key, number | null>> {
  return writtenColumn(name, key, formatRate);
}

/** How long, in the colour that says so. Milliseconds. */
export function durationColumn<Key extends string>(
  name: string,
  key: Key,
): RankColumn<Having<Key, number | null>> {
  return writtenColumn(name, key, (ms) => <DurationText ms={ms} />);
}

/** A figure of any kind; a dash where there is nothing to have one of. */
export function writtenColumn<Key extends string>(
  name: string,
  key: Key,
  write: (figure: number) => ReactNode,
): RankColumn<Having<Key, number | null>> {
  return {
    name,
    figure: true,
    cell: (row) => {
      const figure = row[key];
      return figure === null ? '–' : write(figure);
    },
  };
}

/** How what ran turned out, each time it did, and the requests in which it failed: the last columns of a list of steps. */
export function outcomeColumns<Row>(failedIn: (row: Row) => ViewChange) {
  return [
    durationColumn('Avg', 'avgDuration'),
    tracedColumn('Errors', 'errorCount', failedIn),
    rateColumn('Error Rate', 'errorRate'),
  ] as const;
}
