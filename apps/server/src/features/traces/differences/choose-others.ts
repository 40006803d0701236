import type { TraceDifferences } from '@throughline/contract';
import type { Filters } from '../list/conditions.ts';
import type { ListQuery } from '../list/list-query.ts';

/**
 * Filters on the outcome of a request, such as its status or its values. The matching requests are compared with requests of another
 * outcome.
 */
const OUTCOMES = [
  'status',
  'statusCode',
  'statusClass',
  'errorGroup',
  'errorIds',
  'errorText',
  'stepStatus',
  'minDuration',
  'maxDuration',
  'minSteps',
  'maxSteps',
  'minCalls',
  'value',
  'requests',
] as const satisfies readonly (keyof Filters)[];

/**
 * Length of the compared time before a selected range, and of the compared time after it, as a multiple of the length of the range. The
 * limits are `MIN_AROUND` and `MAX_AROUND`.
 */
const AROUND = 4n;
const MIN_AROUND = 3_600_000_000n;
const MAX_AROUND = 7n * 24n * MIN_AROUND;

export interface Others {
  readonly against: NonNullable<TraceDifferences['against']>;
  /** Selects all requests that are compared: the matching ones, and the others, which do not match. */
  readonly all: Pick<ListQuery, 'filters' | 'attributes' | 'from' | 'until'>;
}

/** Chooses the requests to compare a selection with; undefined if the list has neither a filter nor a start of its range. */
export function chooseOthers(
  { filters, attributes, from, until }: Others['all'],
  nowMicros: bigint,
): Others | undefined {
  const { excluded, ...single } = filters;
  const set = Object.entries(single).filter(([, value]) => value !== undefined && value !== '');
  const isOutcome = (name: string) => OUTCOMES.some((outcome) => outcome === name);
  const frame: Filters = Object.fromEntries(set.filter(([name]) => !isOutcome(name)));
  const excludes = Object.values(excluded ?? {}).some((values) => values.length > 0);
  if (set.some(([name]) => isOutcome(name)) || excludes) {
    return { against: 'outcome', all: { filters: frame, attributes, from, until } };
  }
  if (from !== undefined) {
    const end = until ?? nowMicros;
    const around = clamp((end - from) * AROUND);
    return { against: 'time', all: { filters, attributes, from: from - around, until: end + around } };
  }
  if (set.length === 0 && attributes.length === 0) return undefined;
  return { against: 'rest', all: { filters: {}, attributes: [], from, until } };
}

function clamp(micros: bigint): bigint {
  if (micros < MIN_AROUND) return MIN_AROUND;
  return micros > MAX_AROUND ? MAX_AROUND : micros;
}
