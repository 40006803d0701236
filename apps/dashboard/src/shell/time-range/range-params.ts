import type { ViewChange } from '../url-state/search-params.ts';
import { type RangeParams, readErrorDays, type TimeRange } from './time-range.ts';

/** URL parameters that remove the time range from a URL. */
export const WITHOUT_RANGE: ViewChange = {
  from: undefined,
  to: undefined,
  start: undefined,
  end: undefined,
  last: undefined,
  days: undefined,
};

/** Returns the URL parameters that replace a URL's range by another; undefined removes the range. */
export function writeTimeRange(range: TimeRange | undefined): ViewChange {
  switch (range?.kind) {
    case undefined:
      return WITHOUT_RANGE;
    case 'last':
      return { ...WITHOUT_RANGE, last: range.last };
    case 'days':
      return { ...WITHOUT_RANGE, ...range.period };
    case 'instants':
      return { ...WITHOUT_RANGE, from: range.from, to: range.to };
  }
}

/** Pages that share one time range. */
const RANGED_PAGES: readonly string[] = ['/dashboard', '/raw-traces', '/analytics', '/errors'];

/** Returns the URL parameters that a link to another page keeps: the project, and the range if that page has one. */
export function keepForPage(
  to: string,
  view: RangeParams & { readonly project?: string | undefined },
): ViewChange {
  const project = view.project === undefined ? {} : { project: view.project };
  if (!RANGED_PAGES.includes(to)) return project;
  const { from, to: until, start, end, last = readErrorDays(view) } = view;
  return { ...project, from, to: until, start, end, last };
}
