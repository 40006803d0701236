import { z } from 'zod';
import { defineRoute } from '../http/route.ts';

/** Steps of one trace that a search found, in the order of its flow. */
export const FoundSteps = z.object({
  hits: z.array(
    z.object({
      stepId: z.string(),
      /** Where the words are, but for the step's name: such as `inputs` or `local variables`. */
      foundIn: z.array(z.string()),
    }),
  ),
  /** All steps of the trace. */
  steps: z.number(),
  /** The steps before this one are searched, with this answer and those before it. */
  searched: z.number(),
  /** The `from` of the next call; null once all steps are searched. */
  next: z.number().nullable(),
});
export type FoundSteps = z.infer<typeof FoundSteps>;

export const StepSearchQuery = z.object({
  /** One word at least. */
  text: z.string().max(1000).default(''),
  from: z.coerce.number({ error: 'from must be a number' }).int().min(0, 'from must be 0 or more').default(0),
});

export const traceSearchRoutes = {
  findSteps: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/steps',
    summary:
      'Steps of a trace that hold each word of a text in their name, function, file, type, error or values. A large trace is searched over several calls: `next` is where the search goes on',
    access: { by: 'session', action: 'traces.read', on: 'trace', visitors: true },
    params: z.object({ id: z.string() }),
    query: StepSearchQuery,
    answer: FoundSteps,
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
};
