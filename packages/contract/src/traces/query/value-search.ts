import { z } from 'zod';
import { Instant } from '../../format/instants.ts';

/** Maximum number of requests that a search over captured values finds: the newest ones. */
export const MAX_VALUE_MATCHES = 2000;

/** How far a search over captured values has come, if it has not searched the whole range. */
export const ValueSearch = z.object({
  /** Start of the searched time. The answer contains only requests since then. */
  since: Instant,
  /**
   * `time`: a request searches for a few seconds, and the next request of the same list continues. `matches`: the
   * maximum number of matches was found.
   */
  limit: z.enum(['time', 'matches']),
});
export type ValueSearch = z.infer<typeof ValueSearch>;
