import { z } from 'zod';
import { NO_CONTROLS } from '../accounts/auth.ts';
import { formatCount } from '../format/formats.ts';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { SAVED_PARAMS } from './saved-params.ts';

/** Pages with a list of traces whose filters can be saved as a view. */
export const VIEW_PAGES = ['dashboard', 'raw-traces'] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

/** Maximum number of saved views: a person's own views, and the shared views of a project. */
export const MAX_SAVED_VIEWS = { person: 100, project: 100 } as const;
/** Maximum number of views that a person can pin. */
export const MAX_PINNED_VIEWS = 10;
export const MAX_VIEW_NAME = 80;
/** Maximum number of characters in the names and values of all URL parameters of a view. */
export const MAX_VIEW_CHARACTERS = 8000;

export const SavedView = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Id of the project; null for a view of Raw Traces over all projects. */
  projectId: z.uuid().nullable(),
  page: z.enum(VIEW_PAGES),
  /** URL parameters of the list. */
  params: z.record(z.string(), z.string()),
  /** True if everyone who can see the project can see the view; false if only its owner can. */
  shared: z.boolean(),
  /** Name of the person who saved the view. Null if the account was deleted. */
  createdBy: z.string().nullable(),
  /** True if the caller can change and delete the view. */
  editable: z.boolean(),
  /** When the caller pinned the view; null if it is not pinned. */
  pinnedAt: Instant.nullable(),
});
export type SavedView = z.infer<typeof SavedView>;

const NAME_REQUIRED = 'Name is required';
const name = z
  .string({ error: NAME_REQUIRED })
  .trim()
  .normalize('NFC')
  .min(1, NAME_REQUIRED)
  .max(MAX_VIEW_NAME, `Name must be at most ${MAX_VIEW_NAME} characters long`)
  .regex(NO_CONTROLS, 'Name must not contain line breaks or other control characters');

const KNOWN_PARAMS: ReadonlySet<string> = new Set(SAVED_PARAMS);

/** Unknown parameters are rejected, so that a saved view never has fewer filters than the list had. */
const params = z.record(z.string(), z.string()).superRefine((given, { addIssue }) => {
  const pairs = Object.entries(given);
  const unknown = pairs.find(([key]) => !KNOWN_PARAMS.has(key))?.[0];
  if (unknown !== undefined) {
    addIssue({ code: 'custom', path: [unknown], message: 'params: This is not a filter of a list' });
    return;
  }
  const empty = pairs.find(([, value]) => value === '')?.[0];
  if (empty !== undefined) {
    addIssue({ code: 'custom', path: [empty], message: `params: ${empty} must not be empty` });
  }
  const characters = pairs.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  if (characters > MAX_VIEW_CHARACTERS) {
    const limit = formatCount(MAX_VIEW_CHARACTERS);
    addIssue({ code: 'custom', message: `The filters are too long to save: more than ${limit} characters` });
  }
});

const IdParams = z.object({ id: z.string() });
const OneView = z.object({ view: SavedView });
const Views = z.object({ views: z.array(SavedView) });
const Done = z.object({ success: z.literal(true) });
const SESSION = { by: 'session' } as const;

export const savedViewRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/views',
    summary: "The caller's own saved views and the views that the caller pinned, in order of name",
    access: SESSION,
    answer: Views,
    errors: [],
  }),
  listOfProject: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/views',
    summary: 'Saved views that are shared in a project, in order of name',
    access: { by: 'session', action: 'traces.read', on: 'project' },
    params: IdParams,
    answer: Views,
    errors: ['not_found'],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/views',
    summary: `Save a list's filters under a name. At most ${MAX_SAVED_VIEWS.person} views per person and ${MAX_SAVED_VIEWS.project} shared views per project`,
    access: SESSION,
    body: z
      .strictObject({
        name,
        projectId: z.string().nullable().default(null),
        page: z.enum(VIEW_PAGES, { error: `page must be ${VIEW_PAGES.join(' or ')}` }),
        params,
        shared: z.boolean().default(false),
        pinned: z.boolean().default(false),
      })
      .refine(({ projectId, page }) => projectId !== null || page === 'raw-traces', {
        path: ['projectId'],
        message: 'projectId: Only views of the Raw Traces page can cover all projects',
      })
      .refine(({ projectId, shared }) => projectId !== null || !shared, {
        path: ['shared'],
        message: 'shared: A view of all projects cannot be shared',
      }),
    answer: OneView,
    status: 201,
    errors: ['validation_failed', 'not_found', 'too_many_views'],
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/api/views/:id',
    summary:
      'Rename a saved view, replace its filters, or share it. A shared view can be changed by the person who saved it and by people who can edit the project',
    access: SESSION,
    params: IdParams,
    body: z.strictObject({
      name: name.optional(),
      page: z.enum(VIEW_PAGES, { error: `page must be ${VIEW_PAGES.join(' or ')}` }).optional(),
      params: params.optional(),
      shared: z.literal(true, { error: 'shared can only be set to true' }).optional(),
    }),
    answer: OneView,
    errors: ['validation_failed', 'forbidden', 'not_found', 'too_many_views'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/views/:id',
    summary: 'Delete a saved view, for everyone who can see it',
    access: SESSION,
    params: IdParams,
    answer: Done,
    errors: ['forbidden', 'not_found'],
  }),
  pin: defineRoute({
    method: 'PUT',
    path: '/api/views/:id/pin',
    summary: `Pin a saved view for the caller, who can pin ${MAX_PINNED_VIEWS} views at most`,
    access: SESSION,
    params: IdParams,
    answer: OneView,
    errors: ['not_found', 'too_many_views'],
  }),
  unpin: defineRoute({
    method: 'DELETE',
    path: '/api/views/:id/pin',
    summary: 'Unpin a saved view for the caller',
    access: SESSION,
    params: IdParams,
    answer: OneView,
    errors: ['not_found'],
  }),
};
