import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { showMax } from '../limits/limit.ts';
import type { CapturedValue } from '../values.ts';
import { Deleted, DeletionReceipt } from './deletions.ts';
import { Repeat, StepError, StepType } from './ingest.ts';
import { PlainTraceFilters } from './query/plain-filters.ts';
import { TraceQuery } from './query/trace-query.ts';
import { ValueSearch } from './query/value-search.ts';
import { LeftOutPart, MAX_PART_BYTES, TracePart } from './trace-parts.ts';

const Value = z.custom<CapturedValue>((value) => value !== undefined);

const TraceError = z.object({
  hasError: z.boolean(),
  errorMessage: z.string().nullable(),
  errorCode: z.string().nullable(),
});

/** Maximum characters of an error's message or code in a list row. The trace contains the complete string. */
export const MAX_ROW_TEXT = 2_000;

/**
 * Fields of a trace in lists, tiles and the live feed. Bodies, values and steps are left out; only the number
 * of steps is included.
 */
export const TraceRow = z.object({
  _id: z.uuid(),
  traceId: z.string(),
  projectId: z.uuid(),
  request: z.object({ method: z.string(), path: z.string(), route: z.string().nullable() }),
  response: z.object({ statusCode: z.number().nullable() }),
  /** `duration` in milliseconds with µs precision. */
  timing: z.object({ startTime: Instant, duration: z.number() }),
  error: TraceError,
  service: z.string(),
  environment: z.string(),
  release: z.string(),
  /**
   * The request's user and session, and the country of the client's network (ISO 3166-1, two letters); each
   * is null if unknown.
   */
  userId: z.string().nullable(),
  sessionId: z.string().nullable(),
  country: z.string().nullable(),
  /** Name of the service's process or host that handled the request; empty if unknown. */
  instance: z.string(),
  stepCount: z.number(),
});
export type TraceRow = z.infer<typeof TraceRow>;

export const Step = z.object({
  stepId: z.string(),
  parentStepId: z.string().nullable(),
  sequence: z.number(),
  stepName: z.string(),
  stepType: StepType,
  startTime: Instant,
  endTime: Instant,
  /** Milliseconds with µs precision. */
  duration: z.number(),
  /** Totals of the calls, if the step represents many calls of its function. */
  repeat: Repeat.optional(),
  functionName: z.string().nullable(),
  filePath: z.string().nullable(),
  lineNumber: z.number().nullable(),
  /** Absent if nothing was captured, or if values were not requested. */
  inputs: Value.optional(),
  outputs: Value.optional(),
  variables: z
    .object({
      capturedAt: z.string().optional(),
      parameters: Value.optional(),
      localVariables: Value.optional(),
      returnValue: Value.optional(),
      thisContext: Value.optional(),
      /**
       * Bindings (a name, `return` or `this`) that hold an object which an earlier step already contains. Maps each binding to
       * `[stepId, name in that step]`. The object is identical, not an equal copy.
       */
      seenBefore: Value.optional(),
    })
    .optional(),
  error: StepError.nullable(),
  metadata: Value.optional(),
});
export type Step = z.infer<typeof Step>;

export const Trace = TraceRow.extend({
  spanId: z.string().nullable(),
  parentSpanId: z.string().nullable(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    route: z.string().nullable(),
    url: z.string().nullable(),
    headers: z.record(z.string(), Value),
    query: Value.optional(),
    body: Value.optional(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  }),
  response: z.object({
    statusCode: z.number().nullable(),
    headers: z.record(z.string(), Value),
    body: Value.optional(),
  }),
  performance: z.object({
    /** Bytes. */
    memoryUsage: z.object({ heapUsed: z.number() }).nullable(),
    /** Percent of one CPU core. */
    cpuUsage: z.number().nullable(),
    /** Milliseconds. */
    eventLoopDelay: z.number().nullable(),
  }),
  serviceVersion: z.string(),
  runtime: z.string(),
  user: z.record(z.string(), Value).nullable(),
  attributes: z.record(z.string(), Value),
  /** Steps in order of start time. Steps with equal start times are sorted by `sequence`. */
  flow: z.array(Step),
  dropped: z.object({ steps: z.number(), values: z.number(), bytes: z.number() }),
  /**
   * Captured parts that were too large to return with the trace. Read them with `GET /api/traces/:id/parts/:part`. Absent if none was left
   * out.
   */
  leftOut: z.array(LeftOutPart).optional(),
  /** When the server stored the trace. */
  createdAt: Instant,
});
export type Trace = z.infer<typeof Trace>;

/** A request of a distributed trace, with the span ids that show which request called which. */
export const RelatedTrace = TraceRow.extend({
  spanId: z.string().nullable(),
  parentSpanId: z.string().nullable(),
});
export type RelatedTrace = z.infer<typeof RelatedTrace>;

/**
 * Number of days before and after a trace's start whose requests are compared with the trace. The day after counts because a new project
 * has few requests before a trace.
 */
export const USUAL_DAYS = { before: 7, after: 1 } as const;

/** Durations of successful requests to the same endpoint, service and environment within {@link USUAL_DAYS} of the trace. */
export const UsualDuration = z.object({
  /** Number of the compared requests. If the project had more than a million requests in the compared time, a sample is used. */
  requests: z.number(),
  /** First quartile of the durations, in milliseconds. */
  quartile: z.number(),
  /** Median of the durations, in milliseconds. */
  median: z.number(),
  /** Number of the compared requests that were faster than the trace's own request. */
  quicker: z.number(),
});
export type UsualDuration = z.infer<typeof UsualDuration>;

/** Maximum number of bars in a histogram of durations. */
export const MAX_DURATION_BARS = 12;

/** {@link UsualDuration}, and how the durations are distributed. */
export const EndpointDurations = UsualDuration.extend({
  /** Null if fewer than 20 requests are compared. */
  distribution: z
    .object({
      /** The 95th percentile of the durations, in milliseconds. */
      p95: z.number(),
      /**
       * The number of compared requests by duration: from `from` to below `to`, in milliseconds. The bars have no gaps, become wider
       * by about the same factor, and include the duration of the trace's own request.
       */
      bars: z
        .array(z.object({ from: z.number(), to: z.number(), requests: z.number() }))
        .max(MAX_DURATION_BARS),
    })
    .nullable(),
});
export type EndpointDurations = z.infer<typeof EndpointDurations>;

const number = (what: string) => z.coerce.number({ error: `${what} must be a number` });
const day = /^\d{4}-\d{2}-\d{2}$/;
const DayOrInstant = z.union([z.string().regex(day), Instant], {
  error: 'must be a day (2026-01-31) or an ISO 8601 instant',
});

/** Maximum number of open live feeds per server process: per session, per account (an organization or a solo user), and in total. */
export const MAX_LIVE_FEEDS = { session: 10, account: 100, server: 500 } as const;

/** Filters shared by the list and the live feed. */
export const TraceFilters = PlainTraceFilters.extend({
  /** A query in the filter language, such as `status:5xx -instance:w3`. It can express the same filters as the other parameters. */
  q: TraceQuery.optional(),
});
export type TraceFilters = z.infer<typeof TraceFilters>;

const attribute = z.string().max(1000, 'attribute must be at most 1,000 characters long');

export const TraceStreamQuery = TraceFilters.extend({
  /**
   * `name:value`, or only the name: requests that have this attribute in the request itself or in a step. A name with a
   * colon is quoted: `"a:b":value`. If the parameter is repeated, a request must have all attributes.
   */
  attribute: z.union([attribute, z.array(attribute).max(10, 'attribute may be given 10 times')]).optional(),
});
export type TraceStreamQuery = z.infer<typeof TraceStreamQuery>;

/** The orders of a list: newest, slowest or most steps first. */
export const TRACE_SORTS = ['time', 'duration', 'steps'] as const;
export type TraceSort = (typeof TRACE_SORTS)[number];

export const TraceListQuery = TraceStreamQuery.extend({
  limit: number('limit')
    .int()
    .min(1, 'limit must be from 1 to 500')
    .max(500, 'limit must be from 1 to 500')
    .default(50),
  cursor: z.string().max(500).optional(),
  startDate: DayOrInstant.optional(),
  /** A date without a time includes that whole day. */
  endDate: DayOrInstant.optional(),
  /** IANA time zone in which dates without a time are interpreted. */
  timeZone: z.string().max(64).default('UTC'),
  sort: z.enum(TRACE_SORTS, { error: 'sort must be time, duration or steps' }).default('time'),
});
export type TraceListQuery = z.infer<typeof TraceListQuery>;

/** The list's filters without paging, because an export contains all matching requests. */
export const TraceExportQuery = TraceListQuery.omit({ limit: true, cursor: true });

/** Number of deleted rows per table. `figures` counts the hourly rows with the user's own stats in analytics. */
const ErasedRows = z.object({
  traces: z.number(),
  steps: z.number(),
  spans: z.number(),
  figures: z.number(),
});

export const TraceReadQuery = z.object({
  /** `false`: leaves out the values of steps. Also leaves out captured parts and step metadata larger than {@link MAX_PART_BYTES}. */
  values: z.enum(['true', 'false'], { error: 'values must be true or false' }).default('true'),
  /** `small`: large captured parts are left out, even if the steps' values are requested. */
  parts: z.enum(['all', 'small'], { error: 'parts must be all or small' }).optional(),
});

/** A captured part of a request. `value` is absent if nothing was captured. */
export const CapturedPart = z.object({ value: Value.optional() });

const TraceParams = z.object({ id: z.string() });

export const traceRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/traces',
    summary:
      'Traces in pages: newest first, with `sort=duration` slowest first, or with `sort=steps` those with the most steps first. `q` filters them in the filter language, such as `status:5xx duration:>1s -instance:w3`',
    access: { by: 'session', publicViewers: true },
    accessTokens: true,
    query: TraceListQuery,
    answer: z.object({
      traces: z.array(TraceRow),
      total: z.number(),
      nextCursor: z.string().nullable(),
      /** Present if a search over captured values has not searched the whole range. */
      search: ValueSearch.optional(),
    }),
    errors: ['validation_failed', 'not_found'],
  }),
  stream: defineRoute({
    method: 'GET',
    path: '/api/traces/stream',
    summary: `New traces as they are stored: events \`trace\` (a list row) and \`gap\` (some traces were left out). At most ${MAX_LIVE_FEEDS.session} streams per session, ${MAX_LIVE_FEEDS.account} per account and ${MAX_LIVE_FEEDS.server} per server can be open`,
    access: { by: 'session' },
    query: TraceStreamQuery,
    answer: TraceRow,
    answerKind: 'event-stream',
    errors: ['validation_failed', 'not_found', 'too_many_feeds', 'overloaded'],
  }),
  export: defineRoute({
    method: 'GET',
    path: '/api/traces/export',
    summary:
      'Every trace that matches the list filters, complete, one JSON object per line; `POST /api/ingest/traces` accepts these lines',
    access: { by: 'session' },
    accessTokens: true,
    query: TraceExportQuery,
    answer: Trace,
    answerKind: 'ndjson',
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
  read: defineRoute({
    method: 'GET',
    path: '/api/traces/:id',
    summary: `One complete trace. \`values=false\` leaves out the values of the steps. \`values=false\` and \`parts=small\` leave out parts larger than ${showMax('partBytes', MAX_PART_BYTES)} (headers, query, bodies, user, attributes), and list these parts with their size in \`leftOut\`; read such a part separately`,
    access: { by: 'session', action: 'traces.read', on: 'trace', publicViewers: true },
    accessTokens: true,
    params: TraceParams,
    query: TraceReadQuery,
    answer: z.object({ trace: Trace }),
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
  usual: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/usual',
    summary:
      "How long successful requests to a trace's endpoint usually take, from a week before to a day after the trace, with a histogram of their durations; null if there are no such requests",
    access: { by: 'session', action: 'traces.read', on: 'trace', publicViewers: true },
    accessTokens: true,
    params: TraceParams,
    answer: z.object({ usual: EndpointDurations.nullable() }),
    errors: ['not_found'],
  }),
  part: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/parts/:part',
    summary: 'One captured part of a trace in full; `value` is absent if nothing was captured',
    access: { by: 'session', action: 'traces.read', on: 'trace', publicViewers: true },
    accessTokens: true,
    params: z.object({ id: z.string(), part: TracePart }),
    answer: CapturedPart,
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
  step: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/steps/:stepId',
    summary: 'One step of a trace in full',
    access: { by: 'session', action: 'traces.read', on: 'trace', publicViewers: true },
    accessTokens: true,
    params: z.object({ id: z.string(), stepId: z.string() }),
    answer: z.object({ step: Step }),
    errors: ['not_found', 'overloaded'],
  }),
  raw: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/raw',
    summary: 'One complete trace as a file download',
    access: { by: 'session', action: 'traces.read', on: 'trace', publicViewers: true },
    accessTokens: true,
    params: TraceParams,
    answer: z.object({ trace: Trace }),
    errors: ['not_found', 'overloaded'],
  }),
  byTraceId: defineRoute({
    method: 'GET',
    path: '/api/traces/by-trace-id/:traceId',
    summary: 'Every request of a distributed trace, by its W3C trace id, in order of start time',
    access: { by: 'session', action: 'traces.read', on: 'trace', publicViewers: true },
    accessTokens: true,
    params: z.object({ traceId: z.string() }),
    answer: z.object({ traces: z.array(RelatedTrace) }),
    errors: ['not_found'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/traces/:id',
    summary:
      "Delete one trace and its steps. It still counts towards the month's quota. The receipt shows when its data was removed from the disk",
    access: { by: 'session', action: 'traces.delete', on: 'trace' },
    params: TraceParams,
    answer: Deleted,
    errors: ['forbidden', 'not_found'],
  }),
  removeOfProject: defineRoute({
    method: 'DELETE',
    path: '/api/projects/:id/traces',
    summary: "Delete all of a project's traces. They still count towards the month's quota",
    access: { by: 'session', action: 'traces.delete', on: 'project' },
    params: TraceParams,
    answer: Deleted,
    errors: ['forbidden', 'not_found'],
  }),
  eraseUser: defineRoute({
    method: 'DELETE',
    path: '/api/projects/:id/users/:userId',
    summary:
      "Erase all requests of one user of a service, and all requests that have the user's id as `enduser.id`, `user.id` or `enduser.pseudo.id` in their own attributes or in those of a step. The response contains the number of erased rows by table (`erased`), the number of rows that a check found afterwards (`left`, always 0), and a receipt (`receipt`), which later shows when the data was removed from the disk",
    access: { by: 'session', action: 'users.erase', on: 'project' },
    params: z.object({ id: z.string(), userId: z.string().max(1000) }),
    answer: z.object({ erased: ErasedRows, left: ErasedRows, receipt: DeletionReceipt }),
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
};
