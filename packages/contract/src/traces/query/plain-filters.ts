import { z } from 'zod';
import { StepType } from '../ingest.ts';

const number = (what: string) => z.coerce.number({ error: `${what} must be a number` });

/** So many traces are asked for by their ids in one call: an address has room for them. */
export const MAX_TRACE_IDS = 100;
const ID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** Ids with commas between them; none is an empty field of a form. */
export const SOME_IDS = new RegExp(`^(?:${ID}(?:,${ID}){0,${MAX_TRACE_IDS - 1}})?$`);

/** One value for each filter of a list of traces. */
export const PlainTraceFilters = z.object({
  /** Absent: every project that the caller may see. */
  projectId: z.string().optional(),
  status: z.enum(['success', 'error'], { error: 'status is success or error' }).optional(),
  method: z.string().max(64).optional(),
  /** Part of the path, or a trace id or its first digits. */
  search: z.string().max(1000).optional(),
  route: z.string().max(8192).optional(),
  /** Milliseconds. */
  minDuration: number('minDuration').min(0, 'minDuration must be 0 or more').optional(),
  maxDuration: number('maxDuration').min(0, 'maxDuration must be 0 or more').optional(),
  statusCode: number('statusCode').int().optional(),
  service: z.string().optional(),
  /** Filters by whether the answering service has a name. */
  services: z.enum(['named', 'unnamed'], { error: 'services is named or unnamed' }).optional(),
  environment: z.string().optional(),
  release: z.string().optional(),
  /** The process that answered, such as `host:1234`. */
  instance: z.string().max(255).optional(),
  /** Requests that this service asked for, as far as its own request or span is stored. */
  caller: z.string().optional(),
  /** Requests that a service with a name asked for, or one without. */
  callers: z.enum(['named', 'unnamed'], { error: 'callers is named or unnamed' }).optional(),
  /** The band that figures tell apart: `other` is none of 2xx, 3xx and 4xx, no answer too; 5xx is a part of it. */
  statusClass: z
    .enum(['2xx', '3xx', '4xx', '5xx', 'other'], { error: 'statusClass is 2xx, 3xx, 4xx, 5xx or other' })
    .optional(),
  /** Filters by whether the user of a request is known. */
  users: z.enum(['known', 'unknown'], { error: 'users is known or unknown' }).optional(),
  /** The ids that `setUser` and sessions have, whole. */
  user: z.string().max(1000).optional(),
  session: z.string().max(1000).optional(),
  country: z
    .string()
    .regex(/^([A-Za-z]{2})?$/, 'country is two letters (ISO 3166-1), ZZ where it is not known')
    .optional(),
  /** As analytics group requests: the route, or the path with `:id` for what looks like an id. */
  endpoint: z.string().max(8192).optional(),
  /** The first part of the endpoint after /api and /vN; `/` where there is none. */
  feature: z.string().max(8192).optional(),
  /** As analytics group errors: the message with … for quoted text, ids, numbers and other values, or such as `HTTP 404`. */
  errorGroup: z.string().max(1000).optional(),
  /** Failed requests whose message contains this text, in any case. */
  errorText: z.string().max(1000).optional(),
  /** Requests with such a step, by its name as in analytics: with `:id` where a request to another server has an id. */
  stepName: z.string().max(10_000).optional(),
  stepType: StepType.optional(),
  /** Target of the step's call, as in analytics: such as postgresql or api.example.com. */
  dependency: z.string().max(1000).optional(),
  /** Filters by the outcome of such a step; alone, finds requests with any failed step. */
  stepStatus: z.enum(['success', 'error'], { error: 'stepStatus is success or error' }).optional(),
  /** Requests in which one such step, asking the same each time, was called so often at least. */
  minCalls: number('minCalls').int().min(1).optional(),
  minSteps: number('minSteps').int().min(0).optional(),
  maxSteps: number('maxSteps').int().min(0).optional(),
  /** Requests that have such an attribute, or a step with it: `name:value`, or a name alone. */
  attribute: z.string().max(1000, 'attribute is at most 1,000 characters long').optional(),
  /** These alone: the `_id` of each, with commas between them. */
  requests: z
    .string()
    .regex(SOME_IDS, `requests is 1 to ${MAX_TRACE_IDS} ids of traces, with commas between them`)
    .optional(),
});
export type PlainTraceFilters = z.infer<typeof PlainTraceFilters>;
