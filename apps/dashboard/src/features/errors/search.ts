import type { ErrorGroup } from '@throughline/contract';
import { writeTimeRange } from '../../shell/time-range/range-params.ts';
import type { TimeRange } from '../../shell/time-range/time-range.ts';
import type { ViewChange } from '../../shell/url-state/search-params.ts';

/** Builds the list's URL parameters for the requests with an error in a range. */
export function buildSearch(projectId: string, error: ErrorGroup, range: TimeRange): ViewChange {
  const { id, merged, service, message } = error;
  if (merged.length > 0) return buildIdsSearch(projectId, [id, ...merged], range);
  return {
    ...writeTimeRange(range),
    project: projectId,
    status: 'error',
    errorGroup: message,
    ...(service === '' ? { services: 'unnamed' } : { service }),
  };
}

/** Builds the list's URL parameters for the requests with any of several errors. */
export function buildIdsSearch(projectId: string, errorIds: readonly string[], range: TimeRange): ViewChange {
  return { ...writeTimeRange(range), project: projectId, status: 'error', errorIds: errorIds.join(',') };
}
