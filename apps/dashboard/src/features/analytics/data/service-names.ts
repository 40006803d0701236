import type { ViewChange } from '../../../shell/url-state/search-params.ts';

/** A service's name as it is shown; some send none. */
export function shownService(name: string): string {
  return name === '' ? '(no name)' : name;
}

/** The list's address for what a service answered. */
export function serviceSearch(name: string): ViewChange {
  return name === '' ? { services: 'unnamed' } : { service: name };
}

/** The list's address for what a service asked others for. */
export function callerSearch(name: string): ViewChange {
  return name === '' ? { callers: 'unnamed' } : { caller: name };
}
