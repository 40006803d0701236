import type { ErrorGroup } from '@throughline/contract';
import { writeTimeRange } from '../../shell/time-range/range-params.ts';
import type { TimeRange } from '../../shell/time-range/time-range.ts';
import type { ViewChange } from '../../shell/url-state/search-params.ts';

/** Builds the list's URL parameters for the requests with an error in a range. */
export function buildSearch(
  projectId: string,
  { service, message }: ErrorGroup,
  range: TimeRange,
): ViewChange {
  return {
    ...writeTimeRange(range),
    project: projectId,
    status: 'error',
    errorGroup: message,
    ...(service === '' ? { services: 'unnamed' } : { service }),
  };
}
