import { z } from 'zod';
import { defineRoute } from '../http/route.ts';

/** Rules that report a request as unusual. `docs/diagnosis.md` describes when each rule applies. */
export const STAND_OUT_RULES = [
  'differing_value',
  'known_error',
  'not_a_number',
  'wrong_result',
  'repeated_call',
  'retries',
  'blocked_event_loop',
  'sequential_awaits',
  'slow_dependency',
  'slower_than_usual',
  'larger_response',
] as const;
export const StandOutRule = z.enum(STAND_OUT_RULES);
export type StandOutRule = z.infer<typeof StandOutRule>;

export const StandOut = z.object({
  rule: StandOutRule,
  /** One sentence; identifiers from code are in backticks. */
  text: z.string(),
  /** Id of the step that the sentence is about; null if it is about the whole request. */
  stepId: z.string().nullable(),
});
export type StandOut = z.infer<typeof StandOut>;

export const StandsOut = z.object({
  statements: z.array(StandOut).max(3),
  /**
   * Id of the step that is open when the request's page opens: the step nearest to the cause of what stands out. Null if no rule shows a
   * cause.
   */
  opening: z.string().nullable(),
});
export type StandsOut = z.infer<typeof StandsOut>;

export const standOutRoutes = {
  standsOut: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/stands-out',
    summary:
      'What is unusual about a request, in at most three statements, most severe first: based on its own steps, on other requests to its endpoint, and on other requests with the same error',
    access: { by: 'session', action: 'traces.read', on: 'trace' },
    accessTokens: true,
    params: z.object({ id: z.string() }),
    answer: StandsOut,
    errors: ['not_found', 'overloaded'],
  }),
};
