import type { Finding } from '@throughline/contract';
import { HOUR_MICROS, type HourSeries, sumHours } from '../changes/hour-series.ts';
import { MIN_PART } from '../changes/series-store.ts';
import type { NewErrorRow, SharedPartRow } from './new-errors-store.ts';

/** The only part of a service's requests in which an error occurs, such as the requests of one tenant. */
export type ErrorPart = Extract<Finding, { kind: 'newError' }>['evidence']['part'];

/** Maximum probability that all requests of an error share a value by chance, corrected for the number of compared values. */
const MAX_CHANCE = 0.001;

/** Returns the names of the attributes by which requests are compared. */
export function listAttributes(all: readonly HourSeries[]): string[] {
  const values = all.flatMap(({ part }) => (part?.name === 'attribute' ? [part.value] : []));
  return [...new Set(values.map((value) => value.slice(0, value.indexOf(':'))))];
}

/**
 * Finds the only part of a service's requests in which an error occurs. All requests with the error are in this part, and the part has so
 * few of the service's requests since the error began that chance does not explain this. Of several such parts, returns the one with the
 * fewest requests.
 */
export function findErrorPart(
  error: NewErrorRow,
  environment: string | null,
  shared: readonly SharedPartRow[],
  all: readonly HourSeries[],
  untilMicros: bigint,
): ErrorPart {
  const own = shared.filter(
    ({ error_id: id, name }) => id === error.error_id && (error.users !== 1 || name === 'user'),
  );
  if (own.length === 0) return null;
  const since = {
    from: Number(error.first / HOUR_MICROS),
    until: Number((untilMicros - 1n) / HOUR_MICROS) + 1,
  };
  const count = (some: readonly HourSeries[]) =>
    some.reduce((sum, series) => sum + sumHours(series, since).requests, 0);
  const ofService = all.filter(
    (series) =>
      series.service === error.service_name &&
      series.path !== '' &&
      series.signals.includes('p50') &&
      (environment === null || series.environment === environment),
  );
  const requests = count(ofService.filter(({ part }) => part === null));
  const [smallest] = own
    .map(({ name, value }) => {
      const inPart = count(ofService.filter(({ part }) => part?.name === name && part.value === value));
      const isKnown = inPart > 0;
      return {
        name,
        value,
        isKnown,
        share: (isKnown ? inPart : Math.max(error.errors, MIN_PART)) / requests,
      };
    })
    .filter(({ share }) => share ** error.errors * shared.length <= MAX_CHANCE)
    .sort((a, b) => a.share - b.share);
  if (smallest === undefined) return null;
  const { name, value, isKnown, share } = smallest;
  return { name, value, share: isKnown ? share * 100 : null };
}
