import { z } from 'zod';
import { defineRoute } from '../http/route.ts';

/** Steps of one trace that match a search, in flow order. */
export const FoundSteps = z.object({
  hits: z.array(
    z.object({
      stepId: z.string(),
      /** Fields, other than the step's name, in which the words were found, such as `inputs` or `local variables`. */
      foundIn: z.array(z.string()),
    }),
  ),
  /** Number of steps in the trace. */
  steps: z.number(),
  /** Number of steps searched so far, including those that earlier requests searched. */
  searched: z.number(),
  /** `from` for the next request; null if all steps have been searched. */
  next: z.number().nullable(),
});
export type FoundSteps = z.infer<typeof FoundSteps>;

export const StepSearchQuery = z.object({
  /** Words to search for, at least one. */
  text: z.string().max(1000).default(''),
  from: z.coerce.number({ error: 'from must be a number' }).int().min(0, 'from must be 0 or more').default(0),
});

export const traceSearchRoutes = {
  findSteps: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/steps',
    summary:
      'Steps of a trace that contain every word of `text` in their name, function, file, type, error or values. A large trace is searched in several requests: pass `next` as `from` to continue',
    access: { by: 'session', action: 'traces.read', on: 'trace', publicViewers: true },
    accessTokens: true,
    params: z.object({ id: z.string() }),
    query: StepSearchQuery,
    answer: FoundSteps,
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
};
