import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { TracePart } from './trace-parts.ts';
import { FoundSteps, StepSearchQuery } from './trace-search.ts';
import { CapturedPart, Step, Trace, TraceReadQuery } from './traces.ts';

/** How a share link shows a trace. `masked`: with all values masked, as in a public project. `shown`: as members see it. */
export const SHARED_VALUES = ['masked', 'shown'] as const;
export type SharedValues = (typeof SHARED_VALUES)[number];

/** Lifetimes of a share link, in days. */
export const SHARE_LINK_DAYS = [1, 7, 30] as const;
export type ShareLinkDays = (typeof SHARE_LINK_DAYS)[number];

/** Maximum number of active share links, per trace and per project. */
export const MAX_SHARE_LINKS = { trace: 50, project: 500 } as const;

export const ShareLink = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  /** `_id` of the trace. */
  traceId: z.uuid(),
  values: z.enum(SHARED_VALUES),
  /** Name of the person who created the link. Null if the account was deleted. */
  createdBy: z.string().nullable(),
  createdAt: Instant,
  expiresAt: Instant,
  /** Null if the trace was deleted or has expired: the link then shows nothing. */
  request: z
    .object({ method: z.string(), path: z.string(), statusCode: z.number().nullable(), startTime: Instant })
    .nullable(),
});
export type ShareLink = z.infer<typeof ShareLink>;

/** A share link as seen by a person who opens it. */
export const SharedLink = z.object({
  /** `_id` of the trace. */
  traceId: z.uuid(),
  values: z.enum(SHARED_VALUES),
  expiresAt: Instant,
});
export type SharedLink = z.infer<typeof SharedLink>;

const IdParams = z.object({ id: z.string() });
const LinkParams = z.object({ token: z.string() });
const ShareLinks = z.object({ shareLinks: z.array(ShareLink) });
const BEARER = { by: 'anyone', limit: 'public' } as const;

export const shareLinkRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/api/traces/:id/share-links',
    summary: `Create a link that shows one trace without an account. Only this response includes its URL. At most ${MAX_SHARE_LINKS.trace} links per trace and ${MAX_SHARE_LINKS.project} per project can be active`,
    access: { by: 'session', action: 'traces.share', on: 'trace' },
    params: IdParams,
    body: z.strictObject({
      values: z.enum(SHARED_VALUES, { error: 'values must be masked or shown' }).default('masked'),
      days: z.literal(SHARE_LINK_DAYS, { error: 'days must be 1, 7 or 30' }).default(7),
    }),
    answer: z.object({ shareLink: ShareLink, url: z.string() }),
    status: 201,
    errors: ['validation_failed', 'forbidden', 'not_found', 'too_many_share_links'],
  }),
  listOfTrace: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/share-links',
    summary: "A trace's active share links, newest first, without their URLs",
    access: { by: 'session', action: 'traces.read', on: 'trace' },
    params: IdParams,
    answer: ShareLinks,
    errors: ['not_found'],
  }),
  listOfProject: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/share-links',
    summary: "Active share links of all of a project's traces, newest first, without their URLs",
    access: { by: 'session', action: 'projects.read', on: 'project' },
    params: IdParams,
    answer: ShareLinks,
    errors: ['not_found'],
  }),
  revoke: defineRoute({
    method: 'DELETE',
    path: '/api/projects/:id/share-links/:linkId',
    summary: 'Revoke a share link immediately',
    access: { by: 'session', action: 'traces.share', on: 'project' },
    params: z.object({ id: z.string(), linkId: z.string() }),
    answer: z.object({ success: z.literal(true) }),
    errors: ['forbidden', 'not_found'],
  }),
};

/** API routes for people who open a share link. Each request checks the link. Unknown, revoked and expired links get the same error. */
export const sharedTraceRoutes = {
  read: defineRoute({
    method: 'GET',
    path: '/api/shared/:token',
    summary: 'The trace of a share link, with masked values unless the link shows them',
    access: BEARER,
    params: LinkParams,
    query: TraceReadQuery,
    answer: z.object({ trace: Trace }),
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
  link: defineRoute({
    method: 'GET',
    path: '/api/shared/:token/link',
    summary: 'Whether a share link masks values, and when it expires',
    access: BEARER,
    params: LinkParams,
    answer: z.object({ link: SharedLink }),
    errors: ['not_found'],
  }),
  part: defineRoute({
    method: 'GET',
    path: '/api/shared/:token/parts/:part',
    summary: "One captured part of a share link's trace",
    access: BEARER,
    params: z.object({ token: z.string(), part: TracePart }),
    answer: CapturedPart,
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
  step: defineRoute({
    method: 'GET',
    path: '/api/shared/:token/steps/:stepId',
    summary: "One step of a share link's trace",
    access: BEARER,
    params: z.object({ token: z.string(), stepId: z.string() }),
    answer: z.object({ step: Step }),
    errors: ['not_found', 'overloaded'],
  }),
  findSteps: defineRoute({
    method: 'GET',
    path: '/api/shared/:token/steps',
    summary: "Steps of a share link's trace that contain the searched words in content that the link shows",
    access: BEARER,
    params: LinkParams,
    query: StepSearchQuery,
    answer: FoundSteps,
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
};
