import { MAX_MICROS, MIN_MICROS, parseInstant } from '@throughline/contract';
import { refuseField } from '../../platform/http/errors.ts';
import type { Range } from './errors-store.ts';

const DAY_MICROS = 86_400_000_000n;
/** A range without an end date ends this much later than now, so that it includes requests that are just being stored. */
const SOON_MICROS = 1_000_000n;

interface RangeQuery {
  readonly days: number;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/**
 * Reads the range of a query. Defaults: the start is `days` before the end, and the end is now.
 * @throws AppError `validation_failed`
 */
export function readRange({ days, startDate, endDate }: RangeQuery, nowMicros: bigint): Range {
  const until = endDate === undefined ? nowMicros + SOON_MICROS : readInstant(endDate, 'endDate') + 1n;
  const from =
    startDate === undefined ? until - BigInt(days) * DAY_MICROS : readInstant(startDate, 'startDate');
  if (from < until) return { from, until };
  // A start in the future, from a client whose clock is ahead, matches no request.
  if (endDate === undefined) return { from, until: from + 1n };
  throw refuseField('endDate', 'The end date is before the start date');
}

function readInstant(text: string, field: 'startDate' | 'endDate'): bigint {
  const micros = parseInstant(text);
  if (micros === undefined || micros < MIN_MICROS || micros >= MAX_MICROS - SOON_MICROS) {
    throw refuseField(field, `${field} must be an instant between the years 1900 and 2261`);
  }
  return micros;
}
