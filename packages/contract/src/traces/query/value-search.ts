import { z } from 'zod';
import { Instant } from '../../instants/instants.ts';

/** Maximum number of requests that a search over captured values finds: the newest ones. */
export const MAX_VALUE_MATCHES = 2000;

/** Progress of a search over captured values that has not searched the whole range. */
export const ValueSearch = z.object({
  /** Start of the time that has been searched. The response contains only requests since then. */
  since: Instant,
  /**
   * Reason why the search stopped. `time`: each request searches only for a few seconds; the next request for the same list continues
   * the search. `matches`: the search found the maximum number of matches.
   */
  limit: z.enum(['time', 'matches']),
});
export type ValueSearch = z.infer<typeof ValueSearch>;

/** Parameter of stats that are shown beside a list. It makes the stats cover the same time as the list. */
export const BesideList = z.object({
  /**
   * Counts only requests since this time. Meant for a search over captured values. Set it to `since` of the list's `search`; if the list
   * has no `search`, set it to a time before the range.
   */
  searchedSince: Instant.optional(),
});
export type BesideList = z.infer<typeof BesideList>;

/** Progress of the search over captured values, in responses with stats beside a list. */
export const BesideListProgress = z.object({
  /** Present if the search has not yet reached `searchedSince`, or the start of the range if `searchedSince` is absent. */
  search: ValueSearch.optional(),
});
