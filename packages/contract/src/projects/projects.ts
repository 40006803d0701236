import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { PLAN_IDS } from '../plans/plans.ts';
import { Deleted } from '../traces/deletions.ts';
import { Redaction, RedactionChange, Sampling, SamplingChange } from './project-settings.ts';

const name = z
  .string({ error: 'Project name is required' })
  .trim()
  .min(1, 'Project name is required')
  .max(100, 'Project name must be at most 100 characters long');
const description = z.string().trim().max(1000, 'Description must be at most 1,000 characters long');

export const Project = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Null if the project belongs to a single user. */
  organizationId: z.uuid().nullable(),
  /** The plan in force for the project, which is the plan of the account that owns it. */
  plan: z.enum(PLAN_IDS),
  /** Number of stored traces that the plan's retention still shows. */
  traceCount: z.number(),
  /** Days since the project was created. */
  daysActive: z.number(),
  sampling: Sampling,
  /** The project's own redaction rules. They apply only to traces received after the rules were set. */
  redaction: Redaction,
  /** True if anyone can view the project's traces, without values. */
  public: z.boolean(),
  createdAt: Instant,
  /** The masked key. `GET …/api-key` returns the complete key. */
  apiKey: z.string(),
});
export type Project = z.infer<typeof Project>;

/** A public project as everybody sees it. */
export const PublicProject = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  createdAt: Instant,
});
export type PublicProject = z.infer<typeof PublicProject>;

/** Maximum number of public projects in the list. If there are more, the list contains the newest. */
export const MAX_PUBLIC_PROJECTS = 200;

/**
 * `successRate` is a percentage from 0 to 100, `avgDuration` is in milliseconds; both are null without
 * traces.
 */
export const ProjectStats = z.object({
  totalTraces: z.number(),
  successRate: z.number().nullable(),
  errorCount: z.number(),
  avgDuration: z.number().nullable(),
});
export type ProjectStats = z.infer<typeof ProjectStats>;

const ProjectParams = z.object({ id: z.string() });
const OneProject = z.object({ project: Project });
const Projects = z.object({ projects: z.array(Project) });
const ApiKey = z.object({ apiKey: z.string() });

export const projectRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/projects',
    summary: 'All projects that the caller can see',
    access: { by: 'session' },
    accessTokens: true,
    answer: Projects,
    errors: [],
  }),
  listOfOrganization: defineRoute({
    method: 'GET',
    path: '/api/projects/organization/:id',
    summary: "An organization's projects",
    access: { by: 'session', action: 'projects.read', on: 'organization' },
    accessTokens: true,
    params: z.object({ id: z.string() }),
    answer: Projects,
    errors: ['not_found'],
  }),
  listPublic: defineRoute({
    method: 'GET',
    path: '/api/projects/public',
    summary: `The newest ${MAX_PUBLIC_PROJECTS} public projects`,
    access: { by: 'anyone', limit: 'public' },
    answer: z.object({ projects: z.array(PublicProject) }),
    errors: ['too_many_requests'],
  }),
  readPublic: defineRoute({
    method: 'GET',
    path: '/api/projects/public/:id',
    summary: 'One public project',
    access: { by: 'anyone', limit: 'public' },
    params: ProjectParams,
    answer: z.object({ project: PublicProject }),
    errors: ['not_found', 'too_many_requests'],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/projects',
    summary: 'Create a project',
    access: { by: 'session', action: 'projects.create', on: 'own' },
    body: z.object({
      name,
      description: description.default(''),
      /**
       * The organization that owns the project. If absent or null, the caller's organization owns the project. If the caller has no
       * organization, the caller owns the project.
       */
      organizationId: z.string().nullish(),
    }),
    answer: OneProject,
    status: 201,
    errors: ['validation_failed', 'forbidden', 'not_found', 'plan_limit'],
  }),
  read: defineRoute({
    method: 'GET',
    path: '/api/projects/:id',
    summary: 'One project',
    access: { by: 'session', action: 'projects.read', on: 'project' },
    accessTokens: true,
    params: ProjectParams,
    answer: OneProject,
    errors: ['not_found'],
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/api/projects/:id',
    summary: "Change a project's name, description, sampling, redaction rules or visibility",
    access: { by: 'session', action: 'projects.edit', on: 'project' },
    params: ProjectParams,
    body: z.strictObject({
      name: name.optional(),
      description: description.optional(),
      sampling: SamplingChange.optional(),
      redaction: RedactionChange.optional(),
      public: z.boolean('public must be true or false').optional(),
    }),
    answer: OneProject,
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/projects/:id',
    summary: 'Delete a project with its API key and its traces',
    access: { by: 'session', action: 'projects.delete', on: 'project' },
    params: ProjectParams,
    answer: Deleted,
    errors: ['forbidden', 'not_found'],
  }),
  stats: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/stats',
    summary: "A project's totals (403 for any project that the caller cannot see, even if it does not exist)",
    access: { by: 'session', action: 'projects.read', on: 'project' },
    accessTokens: true,
    params: ProjectParams,
    answer: z.object({ stats: ProjectStats }),
    errors: ['forbidden'],
  }),
  apiKey: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/api-key',
    summary: "A project's complete API key",
    access: { by: 'session', action: 'key.read', on: 'project' },
    params: ProjectParams,
    answer: ApiKey,
    errors: ['forbidden', 'not_found', 'key_unreadable'],
  }),
  regenerateApiKey: defineRoute({
    method: 'POST',
    path: '/api/projects/:id/regenerate-api-key',
    summary: 'Replace the API key. The old key becomes invalid immediately, or after a grace period',
    access: { by: 'session', action: 'key.regenerate', on: 'project' },
    params: ProjectParams,
    body: z
      .strictObject({
        /** Number of hours for which the old key stays valid, from 0 to 24. */
        graceHours: z
          .number()
          .min(0, 'graceHours must be from 0 to 24')
          .max(24, 'graceHours must be from 0 to 24')
          .default(0),
      })
      .prefault({}),
    answer: ApiKey,
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
};
