import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { StepType } from './ingest.ts';
import { TraceRow } from './traces.ts';

/** Characters of a value in a comparison; the step itself has the whole value. */
export const MAX_COMPARED_TEXT = 300;
/** Differing values that a comparison lists, in the order of the data flow. */
export const MAX_COMPARED_VALUES = 500;

/** A function's call in both requests, or in one of them. Calls are listed in start order, each below its caller. */
export const ComparedStep = z.object({
  /** `stepId` in this request; null where only the other one has the call. */
  step: z.string().nullable(),
  /** `stepId` in the other request; null where only this one has the call. */
  other: z.string().nullable(),
  name: z.string(),
  type: StepType,
  /** Milliseconds with µs precision; null on the side without the call. */
  duration: z.number().nullable(),
  otherDuration: z.number().nullable(),
  failed: z.boolean(),
  otherFailed: z.boolean(),
  /** 0 at the top. */
  depth: z.number(),
  /** True where both have the call, but in another order among its siblings. */
  moved: z.boolean(),
  /** Number of differing values, and how many of them no successful request had. */
  differences: z.number(),
  unusual: z.number(),
});
export type ComparedStep = z.infer<typeof ComparedStep>;

/** A value that differs between a call in this request and in the other one. */
export const ComparedValue = z.object({
  step: z.string(),
  other: z.string(),
  /** Part of the step: `inputs`, `parameters`, `localVariables`, `returnValue`, `outputs` or `error`. */
  part: z.string(),
  /** The place as code writes it, such as `order.items[0].price`; empty for the whole part. */
  path: z.string(),
  /** Both values on one line, at most {@link MAX_COMPARED_TEXT} characters; null where a request has nothing at that place. */
  value: z.string().nullable(),
  otherValue: z.string().nullable(),
  /** True where no successful request had such a value; false where successful requests differ there, too. */
  unusual: z.boolean(),
});
export type ComparedValue = z.infer<typeof ComparedValue>;

/** A difference in one sentence, most telling first. */
export const ComparisonStatement = z.object({
  text: z.string(),
  step: z.string().nullable(),
  other: z.string().nullable(),
});
export type ComparisonStatement = z.infer<typeof ComparisonStatement>;

export const TraceComparison = z.object({
  /** The request that this one is compared with. */
  other: TraceRow,
  /** Why the server chose it; null where the caller named it. */
  reason: z.string().nullable(),
  /** Number of successful requests that say which values differ anyway, the other one included. */
  learnedFrom: z.number(),
  statements: z.array(ComparisonStatement).max(3),
  steps: z.array(ComparedStep),
  values: z.array(ComparedValue).max(MAX_COMPARED_VALUES),
  /** `compared`; or `too_large` where only calls and times were compared. */
  valuesRead: z.enum(['compared', 'too_large']),
  /** True where more values differ than are listed. */
  more: z.boolean(),
});
export type TraceComparison = z.infer<typeof TraceComparison>;

export const traceComparisonRoutes = {
  compare: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/comparison',
    summary:
      "One trace compared with another: calls side by side, values that differ, and the first difference in a sentence. With `with=good` the server chooses the nearest success of the same endpoint, with `with=before` the nearest success in the release before this request's; null if there is none",
    access: { by: 'session', action: 'traces.read', on: 'trace' },
    params: z.object({ id: z.string() }),
    query: z.object({
      with: z
        .union([z.enum(['good', 'before']), z.uuid()], {
          error: "with is `good`, `before` or another trace's `_id`",
        })
        .default('good'),
    }),
    answer: z.object({ comparison: TraceComparison.nullable() }),
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
};
