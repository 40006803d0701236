import { z } from 'zod';
import { StepType } from '../ingest.ts';
import { parseValueCondition } from './value-condition.ts';

const number = (what: string) => z.coerce.number({ error: `${what} must be a number` });

/** Maximum number of trace ids in one API request, so that they fit into a URL. */
export const MAX_TRACE_IDS = 100;
const ID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** Matches comma-separated ids. Allows the empty string, which an empty form field sends. */
export const SOME_IDS = new RegExp(`^(?:${ID}(?:,${ID}){0,${MAX_TRACE_IDS - 1}})?$`);

/** Maximum number of errors that a merged error can consist of. */
export const MAX_MERGED_ERRORS = 50;
/** Maximum number of error ids in a filter. An error takes two ids if several functions throw its message. */
export const MAX_ERROR_IDS = 2 * MAX_MERGED_ERRORS;
const ERROR_ID = '[0-9a-fA-F]{32}';
/** Matches comma-separated ids of errors, and the empty string. */
export const SOME_ERROR_IDS = new RegExp(`^(?:${ERROR_ID}(?:,${ERROR_ID}){0,${MAX_ERROR_IDS - 1}})?$`);

/** The filters of the trace list, each with a single value. */
export const PlainTraceFilters = z.object({
  /** Absent: all projects that the caller can see. */
  projectId: z.string().optional(),
  status: z.enum(['success', 'error'], { error: 'status must be success or error' }).optional(),
  method: z.string().max(64).optional(),
  /** Part of the path, a trace id, or the first digits of a trace id. */
  search: z.string().max(1000).optional(),
  route: z.string().max(8192).optional(),
  /** Milliseconds. */
  minDuration: number('minDuration').min(0, 'minDuration must be 0 or more').optional(),
  maxDuration: number('maxDuration').min(0, 'maxDuration must be 0 or more').optional(),
  statusCode: number('statusCode').int().optional(),
  service: z.string().optional(),
  /** Filters by whether the responding service has a name. */
  services: z.enum(['named', 'unnamed'], { error: 'services must be named or unnamed' }).optional(),
  environment: z.string().optional(),
  release: z.string().optional(),
  /** The process that responded, such as `host:1234`. */
  instance: z.string().max(255).optional(),
  /** Requests that this service sent. They are found only if the request or span from which the service sent them is stored. */
  caller: z.string().optional(),
  /** Requests that were sent by a service with a name (`named`) or without a name (`unnamed`). */
  callers: z.enum(['named', 'unnamed'], { error: 'callers must be named or unnamed' }).optional(),
  /**
   * Status class as in the stats. `other`: everything except 2xx, 3xx and 4xx, including 5xx and requests
   * without a response.
   */
  statusClass: z
    .enum(['2xx', '3xx', '4xx', '5xx', 'other'], { error: 'statusClass must be 2xx, 3xx, 4xx, 5xx or other' })
    .optional(),
  /** Filters by whether the user of a request is known. */
  users: z.enum(['known', 'unknown'], { error: 'users must be known or unknown' }).optional(),
  /** The complete id of the user, as given to `setUser` or stored in the session. */
  user: z.string().max(1000).optional(),
  session: z.string().max(1000).optional(),
  country: z
    .string()
    .regex(/^([A-Za-z]{2})?$/, 'country must be two letters (ISO 3166-1), or ZZ for an unknown country')
    .optional(),
  /**
   * The endpoint as in analytics: the route, or the path with `:id` in place of segments that look like ids.
   */
  endpoint: z.string().max(8192).optional(),
  /** The first segment of the endpoint after /api and /vN; `/` if there is none. */
  feature: z.string().max(8192).optional(),
  /**
   * The error group as in analytics: the message with … in place of quoted text, ids, numbers and other
   * values, or a label such as `HTTP 404`.
   */
  errorGroup: z.string().max(1000).optional(),
  /** Failed requests with one of these errors: comma-separated ids from the list of errors. */
  errorIds: z
    .string()
    .regex(SOME_ERROR_IDS, `errorIds must be 1 to ${MAX_ERROR_IDS} ids of errors, separated by commas`)
    .optional(),
  /** Failed requests whose error message contains this string, ignoring case. */
  errorText: z.string().max(1000).optional(),
  /**
   * Requests with a step of this name. Names are as in analytics: requests to other servers have `:id` in
   * place of ids.
   */
  stepName: z.string().max(10_000).optional(),
  stepType: StepType.optional(),
  /** Target of the step's call as in analytics, such as postgresql or api.example.com. */
  dependency: z.string().max(1000).optional(),
  /** Outcome of a step. The step must also match the other filters for steps; without them, any step can match. */
  stepStatus: z.enum(['success', 'error'], { error: 'stepStatus must be success or error' }).optional(),
  /**
   * Requests in which steps of one type and name were called at least this often. OpenTelemetry spans with a database query are counted
   * for each query text, without the values in the text. Only calls that also match the other filters for steps are counted.
   */
  minCalls: number('minCalls').int().min(1).optional(),
  minSteps: number('minSteps').int().min(0).optional(),
  maxSteps: number('maxSteps').int().min(0).optional(),
  /** Requests that have this attribute in the request itself or in a step: `name:value`, or only the name. */
  attribute: z.string().max(1000, 'attribute must be at most 1,000 characters long').optional(),
  /**
   * Requests in which a step's arguments, variables or result, or a body or query, contain this text. If the text is a comparison such as
   * `charge.order.totalCents>50000`: requests in which a captured member meets the comparison.
   */
  value: z
    .string()
    .max(1000, 'value must be at most 1,000 characters long')
    .superRefine((written, context) => {
      const { problem } = parseValueCondition(written);
      if (problem !== undefined && written !== '')
        context.addIssue({ code: 'custom', message: `value: ${problem}` });
    })
    .optional(),
  /** Only these requests: comma-separated `_id`s. */
  requests: z
    .string()
    .regex(SOME_IDS, `requests must be 1 to ${MAX_TRACE_IDS} ids of traces, separated by commas`)
    .optional(),
});
export type PlainTraceFilters = z.infer<typeof PlainTraceFilters>;
