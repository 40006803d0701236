import { formatCount, formatRate } from '@throughline/contract';
import type { ReactNode } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { DurationText } from '../../../ui/layout/badges.tsx';
import type { RankColumn } from './rank-table.tsx';

type Having<Key extends string, Value> = { readonly [key in Key]: Value };

/** A column with a count: the row's field of that key. */
export function countColumn<Key extends string>(name: string, key: Key): RankColumn<Having<Key, number>> {
  return { name, figure: true, cell: (row) => formatCount(row[key]) };
}

/** A count of other traces than the row's, as a link to the counted traces. */
export function tracedColumn<Key extends string, Row>(
  name: string,
  key: Key,
  buildTraceLink: (row: Row) => ViewChange,
): RankColumn<Row & Having<Key, number>> {
  return {
    ...countColumn(name, key),
    buildTraceLink: (row) => (row[key] === 0 ? undefined : buildTraceLink(row)),
    linkLabel: (row) => `${name} ${formatCount(row[key])}: show traces`,
  };
}

/** A percentage. */
export function rateColumn<Key extends string>(
  name: string,
  key: Key,
): RankColumn<Having<Key, number | null>> {
  return writtenColumn(name, key, formatRate);
}

/** The share of failed requests in percent, with their count. */
export function errorRateColumn<Row>(
  failedIn: (row: Row) => ViewChange,
): RankColumn<Row & Having<'errorRate', number | null>> {
  return {
    ...rateColumn('Error Rate', 'errorRate'),
    buildTraceLink: (row) => (row.errorRate === 0 ? undefined : failedIn(row)),
  };
}

/** How long, in the colour that says so. Milliseconds. */
export function durationColumn<Key extends string>(
  name: string,
  key: Key,
): RankColumn<Having<Key, number | null>> {
  return writtenColumn(name, key, (ms) => <DurationText ms={ms} />);
}

/** A figure of any kind. */
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
      return figure === null ? null : write(figure);
    },
  };
}

/** How what ran turned out, each time it did, and the requests in which it failed: the last columns of a list of steps. */
export function outcomeColumns<Row>(failedIn: (row: Row) => ViewChange) {
  return [
    durationColumn('Avg', 'avgDuration'),
    tracedColumn('Errors', 'errorCount', failedIn),
    errorRateColumn(failedIn),
  ] as const;
}
