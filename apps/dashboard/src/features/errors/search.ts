import type { ErrorGroup } from '@throughline/contract';
import type { ViewChange } from '../../shell/url-state/search-params.ts';

/** Builds the list's URL parameters for the requests with an error. */
export function buildSearch(projectId: string, { service, message }: ErrorGroup): ViewChange {
  return {
    project: projectId,
    status: 'error',
    errorGroup: message,
    ...(service === '' ? { services: 'unnamed' } : { service }),
  };
}
