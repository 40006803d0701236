import type { ErrorGroup } from '@throughline/contract';
import { writeTimeRange } from '../../shell/time-range/range-params.ts';
import type { TimeRange } from '../../shell/time-range/time-range.ts';
import type { ViewChange } from '../../shell/url-state/search-params.ts';

/** Builds the URL parameters that make the trace list show the requests with this error in a time range. */
export function buildSearch(projectId: string, error: ErrorGroup, range: TimeRange): ViewChange {
  const { id, requestIds, service, message } = error;
  if (requestIds.join() !== id || error.splitFrom !== null)
    return buildIdsSearch(projectId, requestIds, range);
  return {
    ...writeTimeRange(range),
    project: projectId,
    status: 'error',
    errorGroup: message,
    ...(service === '' ? { services: 'unnamed' } : { service }),
  };
}

/** Builds the URL parameters that make the trace list show the requests with any of these errors in a time range. */
export function buildIdsSearch(projectId: string, errorIds: readonly string[], range: TimeRange): ViewChange {
  return { ...writeTimeRange(range), project: projectId, status: 'error', errorIds: errorIds.join(',') };
}
