import type { ViewChange } from '../../../shell/url-state/search-params.ts';

/** Returns a service's display name; some services send no name. */
export function shownService(name: string): string {
  return name === '' ? '(no name)' : name;
}

/** Returns the list's URL for requests that a service handled. */
export function serviceSearch(name: string): ViewChange {
  return name === '' ? { services: 'unnamed' } : { service: name };
}

/** Returns the list's URL for requests in which a service called others. */
export function callerSearch(name: string): ViewChange {
  return name === '' ? { callers: 'unnamed' } : { caller: name };
}
