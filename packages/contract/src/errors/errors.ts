import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { Order, RowSearch } from '../limits/row-lists.ts';
import { TraceDifferences } from '../traces/lists/trace-differences.ts';
import { MAX_MERGED_ERRORS } from '../traces/query/plain-filters.ts';
import { TraceRow } from '../traces/traces.ts';

/**
 * States of an error. `new`: first seen within the last day. `reopened`: occurred again after it was
 * resolved.
 */
export const ERROR_STATES = ['new', 'ongoing', 'reopened', 'resolved', 'ignored'] as const;
export const ErrorState = z.enum(ERROR_STATES);
export type ErrorState = z.infer<typeof ErrorState>;

/** Numbers of days that the error list can cover, for queries without a start. */
export const ERROR_DAYS = [1, 7, 30] as const;
/** Number of intervals in a trend. */
export const TREND_PARTS = 48;
/** Values by which the list of errors can be sorted. */
export const ERROR_SORTS = ['lastSeen', 'firstSeen', 'count', 'users', 'message'] as const;
export type ErrorSort = (typeof ERROR_SORTS)[number];
/** Maximum number of errors in a list. */
export const MAX_LISTED_ERRORS = 200;
/** Maximum characters of a note. */
export const MAX_ERROR_NOTE = 1000;

/** Maximum number of errors per project that are merged into other errors. */
export const MAX_ERROR_MERGES = 500;

/** The type of an error, and the function that threw it. */
const ThrownBy = z.object({
  type: z.string(),
  function: z.string(),
  /** Null if unknown. */
  file: z.string().nullable(),
});
export type ThrownBy = z.infer<typeof ThrownBy>;

/**
 * Failed requests of one service with the same error message, ignoring ids, numbers and quoted text. If several functions throw the
 * message, each function has an error of its own. If users merged several errors, the group contains the requests of all of them.
 */
export const ErrorGroup = z.object({
  /**
   * Derived from the service and the message. If several functions throw the message, the ids of their errors are also derived from the
   * function, except the id of the error whose function was known first. For merged errors, the id, service, message and state are those of
   * the target, into which the others were merged.
   */
  id: z.string(),
  /** Ids of the errors that were merged into this error, in the order of the merges. */
  merged: z.array(z.string()),
  /**
   * If several functions throw the message: the id of the error of the function that was known first. Null for this first error, and for
   * errors that were not split by function.
   */
  splitFrom: z.string().nullable(),
  /** Values of the filter `errorIds` with which the trace list shows exactly the requests of this error. */
  requestIds: z.array(z.string()),
  service: z.string(),
  /** The services with this error, in alphabetical order. There is more than one service only if errors were merged. */
  services: z.array(z.string()),
  /** The message, with … in place of parts that vary between requests. */
  message: z.string(),
  /**
   * Type of the error, such as `TypeError`, and the function of the service's own code that threw it. Both are from the newest request for
   * which the function is known. Null if the function is known for no request. `type` is empty if it is unknown.
   */
  thrownBy: ThrownBy.nullable(),
  /** Number of failed requests in the requested range. */
  count: z.number(),
  /** Number of known users affected in the requested range. */
  users: z.number(),
  /** The endpoint with the most failed requests of this error. `endpoints` is the number of affected endpoints. */
  endpoint: z.string(),
  endpoints: z.number(),
  /** Start of the first occurrence among all stored traces. */
  firstSeen: Instant,
  lastSeen: Instant,
  /** Releases of the first and the last failed request; empty if unknown. */
  firstRelease: z.string(),
  lastRelease: z.string(),
  /** Number of failed requests in each interval. The intervals divide the requested range equally, and the oldest is first. */
  trend: z.array(z.number()),
  state: ErrorState,
  /**
   * When, and by whom, the error was resolved or ignored. Still set if the error has occurred again since then. Null if nobody resolved or
   * ignored the error, or if a user opened it again.
   */
  changed: z.object({ at: Instant, by: z.string().nullable() }).nullable(),
  /**
   * The last release with the error, if the error was resolved for the next release. Occurrences in this release do not reopen the error,
   * because the release does not contain the fix. Null: occurrences in any release reopen the error.
   */
  resolvedAfterRelease: z.string().nullable(),
  note: z.string(),
  /** The person who takes care of the error; null if there is none. */
  assignee: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** `_id` of the newest failed request. */
  newest: z.string(),
});
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/**
 * Values that are more frequent in the requests with the error (`matching`) than in successful requests to the same endpoints (`others`).
 */
export const ErrorComparison = TraceDifferences.omit({ against: true });
export type ErrorComparison = z.infer<typeof ErrorComparison>;

/** A captured value of the function that threw. */
export const ThrowingValue = z.object({
  part: z.enum(['inputs', 'localVariables']),
  /** Path in the syntax of code, such as `order.items[0].price`. */
  path: z.string(),
  /** Paths of further arguments and variables that have the same value in the same calls, at most 10. */
  alsoAt: z.array(z.string()).default([]),
  /** The value on one line. */
  value: z.string(),
  /**
   * `inside`: share, from 0 to 1, of the failing calls that have this value at the path. Calls whose value at the path is unknown are not
   * counted. `outside`: the same share of the successful calls.
   */
  inside: z.number(),
  outside: z.number(),
  /** `_id` of the trace of a failing call with this value. `step` is the `stepId` of that call. */
  trace: z.string(),
  step: z.string(),
});
export type ThrowingValue = z.infer<typeof ThrowingValue>;

/** The function that threw an error, and the values of its calls. */
export const ThrowingFunction = z.object({
  name: z.string(),
  file: z.string().nullable(),
  /**
   * `failing`: number of inspected failing calls, at most 40. `successful`: number of inspected calls in successful requests to the same
   * endpoints, at most 100.
   */
  failing: z.number(),
  successful: z.number(),
  /**
   * Values that are more frequent in failing calls than in successful calls, the most significant first, at most
   * 10.
   */
  values: z.array(ThrowingValue),
});
export type ThrowingFunction = z.infer<typeof ThrowingFunction>;

export const ErrorDetail = z.object({
  error: ErrorGroup,
  /** The users with the most failed requests, at most 20. */
  people: z.array(z.object({ userId: z.string(), count: z.number(), lastSeen: Instant })),
  releases: z.array(z.object({ release: z.string(), count: z.number() })),
  /** The newest failed requests, at most 10. */
  traces: z.array(TraceRow),
  /** The errors that were merged, with their target first; empty if no errors were merged. */
  parts: z.array(
    z.object({
      id: z.string(),
      /** `service` and `message` are null if no request with the error is stored. */
      service: z.string().nullable(),
      message: z.string().nullable(),
      /** Values of the filter `errorIds` for the requests of this part. */
      requestIds: z.array(z.string()),
      /** Number of failed requests in the requested range. */
      count: z.number(),
      lastSeen: Instant.nullable(),
    }),
  ),
  /**
   * Other errors with the same message, at most 20: another function throws the message, or the same function throws the message with
   * another error type. Errors with failed requests in the requested range come first. Empty if the error was not split by function.
   */
  sameMessage: z.array(
    z.object({
      id: z.string(),
      /** Null if the function is not known. */
      thrownBy: ThrownBy.nullable(),
      /** Number of failed requests in the requested range; can be 0. */
      count: z.number(),
      lastSeen: Instant,
    }),
  ),
  /** People to whom the error can be assigned: the members of the organization, or the project's only user. */
  assignable: z.array(z.object({ id: z.uuid(), name: z.string(), email: z.string() })),
});
export type ErrorDetail = z.infer<typeof ErrorDetail>;

const days = z
  .enum(ERROR_DAYS.map(String) as [string, ...string[]], { error: 'days must be 1, 7 or 30' })
  .default('7')
  .transform(Number);
/** The range from `startDate` to `endDate`, both inclusive. By default it covers the last `days` until now. */
const range = {
  days,
  startDate: Instant.optional(),
  endDate: Instant.optional(),
};
const ErrorParams = z.object({ id: z.string(), errorId: z.string() });

export const errorRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/errors',
    summary:
      "A project's errors by service, message and throwing function, at most 200. The errors can be sorted, and searched by message, service, type, function, file, endpoint and last release",
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    accessTokens: true,
    params: z.object({ id: z.string() }),
    query: z.object({
      ...range,
      state: z
        .enum(['open', 'resolved', 'ignored', 'all'], {
          error: 'state must be open, resolved, ignored or all',
        })
        .default('open'),
      /** `me`: only errors that are assigned to the caller. */
      assigned: z.enum(['me'], { error: 'The filter assigned must be `me`' }).optional(),
      sort: z.enum(ERROR_SORTS, `sort must be one of ${ERROR_SORTS.join(', ')}`).default('lastSeen'),
      order: Order.default('descending'),
      search: RowSearch.optional(),
    }),
    answer: z.object({
      errors: z.array(ErrorGroup),
      /** False if more than 200 errors match. The list then contains only the first 200. */
      isAll: z.boolean(),
      from: Instant,
      until: Instant,
    }),
    errors: ['validation_failed', 'not_found'],
  }),
  read: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/errors/:errorId',
    summary:
      'One error: its state, the affected users and releases, its newest requests, the errors that were merged into it and the errors with the same message',
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    accessTokens: true,
    params: ErrorParams,
    query: z.object(range),
    answer: z.object({ detail: ErrorDetail }),
    errors: ['validation_failed', 'not_found'],
  }),
  compare: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/errors/:errorId/comparison',
    summary:
      'The properties that are more frequent in the requests with an error than in successful requests to the same endpoints',
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    accessTokens: true,
    params: ErrorParams,
    query: z.object(range),
    answer: z.object({ comparison: ErrorComparison }),
    errors: ['validation_failed', 'not_found'],
  }),
  throwing: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/errors/:errorId/throwing-function',
    summary:
      'The function that threw an error, and the captured values that its failing calls have and successful calls do not; null if no step threw',
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    accessTokens: true,
    params: ErrorParams,
    query: z.object(range),
    answer: z.object({ throwing: ThrowingFunction.nullable() }),
    errors: ['validation_failed', 'not_found'],
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/projects/:id/errors/:errorId',
    summary:
      'Resolve, ignore, reopen or assign an error, or set its note. A resolved error reopens when it occurs again; with `inNextRelease`, only when it occurs in a release other than the last one in which it has occurred',
    access: { by: 'session', action: 'errors.edit', on: 'project' },
    params: ErrorParams,
    body: z.strictObject({
      state: z
        .enum(['open', 'resolved', 'ignored'], { error: 'state must be open, resolved or ignored' })
        .optional(),
      inNextRelease: z.boolean().default(false),
      note: z
        .string()
        .max(MAX_ERROR_NOTE, `note must be at most ${MAX_ERROR_NOTE} characters long`)
        .optional(),
      /** Id of the person to whom the error is assigned, who must have access to the project; null: nobody. */
      assignee: z.string().nullable().optional(),
    }),
    answer: z.object({ error: ErrorGroup }),
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
  merge: defineRoute({
    method: 'POST',
    path: '/api/projects/:id/errors/:errorId/merge',
    summary:
      'Merge other errors into this error. The list shows them as one error, with the state of this error. A request for one of the other errors then returns this error. The response contains the id of this error',
    access: { by: 'session', action: 'errors.edit', on: 'project' },
    params: ErrorParams,
    body: z.strictObject({
      errorIds: z
        .array(z.string())
        .min(1, 'errorIds names at least one error')
        .max(MAX_MERGED_ERRORS - 1, `errorIds names at most ${MAX_MERGED_ERRORS - 1} errors`),
    }),
    answer: z.object({ errorId: z.string() }),
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
  splitOff: defineRoute({
    method: 'DELETE',
    path: '/api/projects/:id/errors/:errorId/merged/:mergedId',
    summary:
      'Split off one of the errors that were merged into this error. The split-off error then has its own state and note again',
    access: { by: 'session', action: 'errors.edit', on: 'project' },
    params: ErrorParams.extend({ mergedId: z.string() }),
    answer: z.object({ success: z.literal(true) }),
    errors: ['forbidden', 'not_found'],
  }),
};
