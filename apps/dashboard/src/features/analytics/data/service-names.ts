import type { ViewChange } from '../../../shell/url-state/search-params.ts';

/** Returns a service's display name; some services send no name. */
export function formatService(name: string): string {
  return name === '' ? '(no name)' : name;
}

/** Returns the URL parameters that make the trace list show the requests that a service handled. */
export function buildServiceSearch(name: string): ViewChange {
  return name === '' ? { services: 'unnamed' } : { service: name };
}

/** Returns the URL parameters that make the trace list show the requests in which a service called other services. */
export function buildCallerSearch(name: string): ViewChange {
  return name === '' ? { callers: 'unnamed' } : { caller: name };
}
