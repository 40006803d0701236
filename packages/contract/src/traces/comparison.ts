import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { StepType } from './ingest.ts';
import { TraceRow } from './traces.ts';
import { ValuePath } from './value-origin.ts';

/** Maximum length of a value in a comparison, in characters. The step itself contains the whole value. */
export const MAX_COMPARED_TEXT = 300;
/** Maximum number of differing values in a comparison, in data-flow order. */
export const MAX_COMPARED_VALUES = 500;

/**
 * A call in the inspected request, in the request that it is compared with (the other request), or in both. Calls are listed in start
 * order, each below its caller.
 */
export const ComparedStep = z.object({
  /** `stepId` in the inspected request; null if only the other request contains the call. */
  step: z.string().nullable(),
  /** `stepId` in the other request; null if only the inspected request contains the call. */
  other: z.string().nullable(),
  name: z.string(),
  type: StepType,
  /** Milliseconds with µs precision; null if the call is only in the other request. */
  duration: z.number().nullable(),
  otherDuration: z.number().nullable(),
  /** True if the call threw, even if a caller handled the error. */
  failed: z.boolean(),
  otherFailed: z.boolean(),
  /** Depth in the call tree; 0 is the top level. */
  depth: z.number(),
  /** True if both requests contain the call, but at different positions among the calls of the same caller. */
  moved: z.boolean(),
  /**
   * How often the same caller called this function in the inspected request, and in the other request. If both numbers are above 0, a
   * call in only one of the requests is a further call of a function that both requests call.
   */
  calls: z.number(),
  otherCalls: z.number(),
  /** Number of values that differ. `unusual` counts the {@link ComparedValue}s among them that are unusual. */
  differences: z.number(),
  unusual: z.number(),
});
export type ComparedStep = z.infer<typeof ComparedStep>;

/** A value that differs between a call in the inspected request and the same call in the other request. */
export const ComparedValue = z.object({
  step: z.string(),
  other: z.string(),
  /** Captured field of the step: `inputs`, `parameters`, `localVariables`, `returnValue`, `outputs` or `error`. */
  part: z.string(),
  /** Path of the value within the captured field, such as `order.items[0].price`; empty for the whole field. */
  path: z.string(),
  /** The keys and indexes of `path`. */
  keys: ValuePath,
  /**
   * The values in the two requests, each on one line of at most {@link MAX_COMPARED_TEXT} characters; null if the request has no value at
   * `path`.
   */
  value: z.string().nullable(),
  otherValue: z.string().nullable(),
  /**
   * True for an error, and for a value of a kind, form or size that no successful request had. Also true if several successful requests
   * agree on another value. Otherwise false, for example if the value also differs among the successful requests, or if there are too few
   * successful requests to judge.
   */
  unusual: z.boolean(),
});
export type ComparedValue = z.infer<typeof ComparedValue>;

/** A difference described in one sentence. The most important statement comes first. */
export const ComparisonStatement = z.object({
  text: z.string(),
  step: z.string().nullable(),
  other: z.string().nullable(),
});
export type ComparisonStatement = z.infer<typeof ComparisonStatement>;

export const TraceComparison = z.object({
  /** The request that the inspected request is compared with. */
  other: TraceRow,
  /** Why the server chose the other request; null if the caller chose it. */
  reason: z.string().nullable(),
  /** Number of requests that show which values normally vary: the other request, and further successful ones. */
  learnedFrom: z.number(),
  statements: z.array(ComparisonStatement).max(3),
  steps: z.array(ComparedStep),
  values: z.array(ComparedValue).max(MAX_COMPARED_VALUES),
  /**
   * `too_large`: the requests were too large to compare values, so only calls and durations were compared.
   */
  valuesRead: z.enum(['compared', 'too_large']),
  /** True if the list of differing values is incomplete. */
  more: z.boolean(),
});
export type TraceComparison = z.infer<typeof TraceComparison>;

export const traceComparisonRoutes = {
  compare: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/comparison',
    summary:
      'One trace compared with another: calls side by side, differing values, and the most important differences as sentences. With `with=good` the server chooses the most similar successful request to the same endpoint, with `with=before` the most similar one in the previous release; null if there is no such request',
    access: { by: 'session', action: 'traces.read', on: 'trace' },
    accessTokens: true,
    params: z.object({ id: z.string() }),
    query: z.object({
      with: z
        .union([z.enum(['good', 'before']), z.uuid()], {
          error: "with must be `good`, `before` or another trace's `_id`",
        })
        .default('good'),
    }),
    answer: z.object({ comparison: TraceComparison.nullable() }),
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
};
