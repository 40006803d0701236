import { type ErrorGroup, writeTerm } from '@throughline/contract';
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

/** `of` is the term that selects the requests with an error; `search` opens the list of failed requests to which the term is added. */
interface ErrorFilter {
  readonly of: { readonly value: string; readonly term: string };
  readonly search: ViewChange;
}

/**
 * Finds the term that selects an error's requests in a time range, and the URL parameters of the list of failed requests. If the term is
 * excluded from the list, the other failed requests remain. If the term is the error's message, the list is limited to the error's service,
 * because another service can have the same message.
 */
export function findErrorFilter(projectId: string, error: ErrorGroup, range: TimeRange): ErrorFilter {
  const { errorIds, errorGroup = '', ...search } = buildSearch(projectId, error, range);
  const { text: term } =
    errorIds === undefined
      ? writeTerm('errorGroup', errorGroup, false)
      : writeTerm('errorId', errorIds, false);
  return { of: { value: error.message, term }, search };
}
