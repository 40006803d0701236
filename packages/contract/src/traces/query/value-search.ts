import { z } from 'zod';
import { Instant } from '../../instants/instants.ts';

/** Maximum number of requests that a search over captured values finds: the newest ones. */
export const MAX_VALUE_MATCHES = 2000;

/** Progress of a search over captured values that has not searched the whole range. */
export const ValueSearch = z.object({
  /** Start of the time that has been searched. The response contains only requests since then. */
  since: Instant,
  /**
   * `time`: a request searches for a few seconds, and the next request for the same list continues the search. `matches`: the
   * maximum number of matches was found.
   */
  limit: z.enum(['time', 'matches']),
});
export type ValueSearch = z.infer<typeof ValueSearch>;

/** Parameter of stats that are shown beside a list. With this parameter, the stats cover the same time as the list. */
export const BesideList = z.object({
  /**
   * Counts only requests since this time. Set it for a search over captured values: to the member `since` of the list's `search`, or to a
   * time before the range if the list has no `search`.
   */
  searchedSince: Instant.optional(),
});
export type BesideList = z.infer<typeof BesideList>;

/**
 * Progress of the search for stats beside a list, if this search has not reached `searchedSince`, or without `searchedSince` the start of
 * the range.
 */
export const BesideListProgress = z.object({
  /**
   * Present if a search over captured values has not searched the time since `searchedSince`, or without `searchedSince` the whole range.
   */
  search: ValueSearch.optional(),
});
