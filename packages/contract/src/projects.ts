import { z } from 'zod';
import { Done } from './auth.ts';
import { CAPTURE_MODES, CaptureMode } from './ingest.ts';
import { Instant } from './instants.ts';
import { defineRoute } from './route.ts';

const name = z
  .string({ error: 'Project name is required' })
  .trim()
  .min(1, 'Project name is required')
  .max(100, 'Project name must be at most 100 characters long');
const description = z.string().trim().max(1000, 'Description must be at most 1,000 characters long');

/** What a project asks of its services, with the answers to what they send; null leaves it to each service. */
export const Sampling = z.object({
  /** The share of requests to record, 0 to 1. */
  sampleRate: z.number().nullable(),
  capture: CaptureMode.nullable(),
});
export type Sampling = z.infer<typeof Sampling>;

const samplingChange = z.strictObject(
  {
    sampleRate: z
      .number('sampleRate is a number from 0 to 1, or null')
      .min(0, 'sampleRate is 0 to 1')
      .max(1, 'sampleRate is 0 to 1')
      .nullish(),
    capture: z.enum(CAPTURE_MODES, 'capture is all, structure, off or null').nullish(),
  },
  'sampling is an object of sampleRate and capture',
);

export const Project = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Null where it belongs to one user alone. */
  organizationId: z.uuid().nullable(),
  /** Traces stored now that the plan still shows. */
  traceCount: z.number(),
  /** Days since it was created. */
  daysActive: z.number(),
  sampling: Sampling,
  createdAt: Instant,
  /** Masked; `GET …/api-key` has it whole. */
  apiKey: z.string(),
});
export type Project = z.infer<typeof Project>;

/** `successRate` is a percentage 0–100, `avgDuration` milliseconds; both null without traces. */
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
    summary: 'All projects that the caller may see',
    access: { by: 'session' },
    answer: Projects,
    errors: [],
  }),
  listOfOrganization: defineRoute({
    method: 'GET',
    path: '/api/projects/organization/:id',
    summary: "An organization's projects",
    access: { by: 'session', action: 'projects.read', on: 'organization' },
    params: z.object({ id: z.string() }),
    answer: Projects,
    errors: ['not_found'],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/projects',
    summary: 'Create a project',
    access: { by: 'session', action: 'projects.create', on: 'own' },
    body: z.object({
      name,
      description: description.default(''),
      /** The caller's organization; absent or null, it is the caller's own organization, else their own. */
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
    params: ProjectParams,
    answer: OneProject,
    errors: ['not_found'],
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/api/projects/:id',
    summary: 'Rename a project, change its description, or what its services are asked to record',
    access: { by: 'session', action: 'projects.edit', on: 'project' },
    params: ProjectParams,
    body: z.strictObject({
      name: name.optional(),
      description: description.optional(),
      sampling: samplingChange.optional(),
    }),
    answer: OneProject,
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/projects/:id',
    summary: 'Delete a project with its key and its traces',
    access: { by: 'session', action: 'projects.delete', on: 'project' },
    params: ProjectParams,
    answer: Done,
    errors: ['forbidden', 'not_found'],
  }),
  stats: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/stats',
    summary: "A project's totals (403 for every project that the caller may not see, existing or not)",
    access: { by: 'session', action: 'projects.read', on: 'project' },
    params: ProjectParams,
    answer: z.object({ stats: ProjectStats }),
    errors: ['forbidden'],
  }),
  apiKey: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/api-key',
    summary: "A project's API key, whole",
    access: { by: 'session', action: 'key.read', on: 'project' },
    params: ProjectParams,
    answer: ApiKey,
    errors: ['forbidden', 'not_found'],
  }),
  regenerateApiKey: defineRoute({
    method: 'POST',
    path: '/api/projects/:id/regenerate-api-key',
    summary: 'Make a new API key; the old one ends at once, or after a grace period',
    access: { by: 'session', action: 'key.regenerate', on: 'project' },
    params: ProjectParams,
    body: z
      .strictObject({
        /** Hours that the old key still works: 0 to 24. */
        graceHours: z.number().min(0, 'graceHours is 0 to 24').max(24, 'graceHours is 0 to 24').default(0),
      })
      .prefault({}),
    answer: ApiKey,
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
};
