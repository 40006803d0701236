import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { defineRoute } from '../http/route.ts';
import { TraceRow } from '../traces/traces.ts';

/** States of an error: `new` began within a day, `reopened` came back after it was resolved. */
export const ERROR_STATES = ['new', 'ongoing', 'reopened', 'resolved', 'ignored'] as const;
export const ErrorState = z.enum(ERROR_STATES);
export type ErrorState = z.infer<typeof ErrorState>;

/** Days that a list of errors looks back. */
export const ERROR_DAYS = [1, 7, 30] as const;
/** Parts of the time that a trend counts. */
export const TREND_PARTS = 24;
/** Characters of a note. */
export const MAX_ERROR_NOTE = 1000;

/** Failed requests of a service whose errors say the same, apart from ids, numbers and quoted text. */
export const ErrorGroup = z.object({
  /** Derived from the service and the message; the same on every server. */
  id: z.string(),
  service: z.string(),
  /** With … for what differs from one request to the next. */
  message: z.string(),
  /** Failed requests in the time asked for. */
  count: z.number(),
  /** Users known by id that the error met in that time. */
  users: z.number(),
  /** The endpoint with most of them, and how many endpoints there are. */
  endpoint: z.string(),
  endpoints: z.number(),
  /** Among all traces that are kept. */
  firstSeen: Instant,
  lastSeen: Instant,
  /** Releases of the first and the last request; empty where not known. */
  firstRelease: z.string(),
  lastRelease: z.string(),
  /** Failed requests in each of equal parts of the time asked for, the oldest first. */
  trend: z.array(z.number()),
  state: ErrorState,
  /** When and by whom it was resolved or ignored; null where it was not. */
  changed: z.object({ at: Instant, by: z.string().nullable() }).nullable(),
  /** An error that is resolved from the release after this one on; null where it is resolved as such. */
  resolvedAfterRelease: z.string().nullable(),
  note: z.string(),
  /** The `_id` of the newest failed request. */
  newest: z.string(),
});
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/** A property that failing requests share more often than others to the same endpoints. */
export const SharedProperty = z.object({
  field: z.enum(['endpoint', 'release', 'environment', 'instance', 'country', 'user', 'method']),
  value: z.string(),
  /** Shares from 0 to 1: of the failing requests, and of the successful ones. */
  inside: z.number(),
  outside: z.number(),
});
export type SharedProperty = z.infer<typeof SharedProperty>;

export const ErrorDetail = z.object({
  error: ErrorGroup,
  /** The users with most of them, at most 20. */
  people: z.array(z.object({ userId: z.string(), count: z.number(), lastSeen: Instant })),
  releases: z.array(z.object({ release: z.string(), count: z.number() })),
  /** The most telling first, at most 5. */
  shared: z.array(SharedProperty),
  /** The newest failed requests, at most 10. */
  traces: z.array(TraceRow),
});
export type ErrorDetail = z.infer<typeof ErrorDetail>;

const days = z
  .enum(ERROR_DAYS.map(String) as [string, ...string[]], { error: 'days is 1, 7 or 30' })
  .default('7')
  .transform(Number);
const ErrorParams = z.object({ id: z.string(), errorId: z.string() });

export const errorRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/errors',
    summary: 'The errors of a project by service and message, the last seen first, at most 200',
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    params: z.object({ id: z.string() }),
    query: z.object({
      days,
      state: z
        .enum(['open', 'resolved', 'ignored', 'all'], { error: 'state is open, resolved, ignored or all' })
        .default('open'),
    }),
    answer: z.object({ errors: z.array(ErrorGroup), from: Instant, until: Instant }),
    errors: ['validation_failed', 'not_found'],
  }),
  read: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/errors/:errorId',
    summary: 'One error: who is affected, what its requests share and others do not, and its newest requests',
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    params: ErrorParams,
    query: z.object({ days }),
    answer: z.object({ detail: ErrorDetail }),
    errors: ['validation_failed', 'not_found'],
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/projects/:id/errors/:errorId',
    summary:
      'Resolve, ignore or reopen an error, or note something about it. A resolved one reopens when it is seen again; with `inNextRelease`, in another release than its last one',
    access: { by: 'session', action: 'errors.edit', on: 'project' },
    params: ErrorParams,
    body: z.strictObject({
      state: z
        .enum(['open', 'resolved', 'ignored'], { error: 'state is open, resolved or ignored' })
        .optional(),
      inNextRelease: z.boolean().default(false),
      note: z.string().max(MAX_ERROR_NOTE, `note is at most ${MAX_ERROR_NOTE} characters long`).optional(),
    }),
    answer: z.object({ error: ErrorGroup }),
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
};
