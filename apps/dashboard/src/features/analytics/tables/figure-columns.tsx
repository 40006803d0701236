import { formatCount, formatRate } from '@throughline/contract';
import type { ReactNode } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { DurationText } from '../../../ui/layout/badges.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import type { RankColumn } from './rank-table.tsx';

type Having<Key extends string, Value> = { readonly [key in Key]: Value };

/** Builds a column with the count in the row's field `key`. */
export function countColumn<Key extends string>(name: string, key: Key): RankColumn<Having<Key, number>> {
  return { name, kind: 'number', value: (row) => row[key], cell: (row) => formatCount(row[key]) };
}

/**
 * Builds a column with a count that links to the counted traces. The counted traces can be only a part of the row's traces, such as the
 * failed traces.
 */
export function buildTracedColumn<Key extends string, Row>(
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

export function rateColumn<Key extends string>(
  name: string,
  key: Key,
): RankColumn<Having<Key, number | null>> {
  return buildFormattedColumn(name, key, formatRate);
}

/** Builds a column with the error rate in percent, which links to the failed requests. */
export function buildErrorRateColumn<Row>(
  failedIn: (row: Row) => ViewChange,
): RankColumn<Row & Having<'errorRate', number | null>> {
  return {
    ...rateColumn('Error rate', 'errorRate'),
    buildTraceLink: (row) => (row.errorRate === 0 ? undefined : failedIn(row)),
  };
}

/** Builds a column with a duration in milliseconds, coloured by its length. */
export function buildDurationColumn<Key extends string>(
  name: string,
  key: Key,
): RankColumn<Having<Key, number | null>> {
  return buildFormattedColumn(name, key, (ms) => <DurationText ms={ms} />);
}

/** Builds a column with a custom format. */
export function buildFormattedColumn<Key extends string>(
  name: string,
  key: Key,
  write: (figure: number) => ReactNode,
): RankColumn<Having<Key, number | null>> {
  return {
    name,
    kind: 'number',
    value: (row) => row[key],
    cell: (row) => {
      const figure = row[key];
      return figure === null ? null : write(figure);
    },
  };
}

/**
 * Builds the last columns of a list of steps: average duration, number of errors, and error rate. The last two columns link to the requests
 * in which the step failed.
 */
export function buildOutcomeColumns<Row>(failedIn: (row: Row) => ViewChange) {
  return [
    buildDurationColumn('Avg', 'avgDuration'),
    buildTracedColumn('Errors', 'errorCount', failedIn),
    buildErrorRateColumn(failedIn),
  ] as const;
}

/** Builds a column with an instant. */
export function buildTimeColumn<Key extends string>(name: string, key: Key): RankColumn<Having<Key, string>> {
  return {
    name,
    kind: 'time',
    value: (row) => Date.parse(row[key]),
    cell: (row) => <Timestamp at={row[key]} />,
  };
}
