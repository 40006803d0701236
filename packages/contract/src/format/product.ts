import { z } from 'zod';
import { Done } from '../accounts/auth.ts';
import { defineRoute } from '../http/route.ts';

export const PRODUCT = { name: 'Throughline', subtitle: 'Runtime Flow Visualizer' } as const;

/** URL path at which the server offers the SDK package, for hosts that cannot use the package registry. */
export const SDK_TARBALL_PATH = '/sdk/throughline-node.tgz';

const Stores = z.object({ control: z.enum(['up', 'down']), traces: z.enum(['up', 'down']) });

export const productRoutes = {
  live: defineRoute({
    method: 'GET',
    path: '/api/health/live',
    summary: 'Whether the process responds',
    access: { by: 'anyone' },
    answer: z.object({ status: z.literal('live') }),
    errors: [],
  }),
  ready: defineRoute({
    method: 'GET',
    path: '/api/health/ready',
    summary:
      'Whether both stores respond; 503 while the server starts or stops, or if a store is unavailable',
    access: { by: 'anyone' },
    answer: z.object({ status: z.literal('ready'), stores: Stores }),
    errors: ['unavailable'],
  }),
  openApi: defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This OpenAPI description',
    access: { by: 'anyone' },
    answer: z.record(z.string(), z.unknown()),
    errors: [],
  }),
  /** Data that screens need before the user signs in. */
  about: defineRoute({
    method: 'GET',
    path: '/api/about',
    summary:
      "The server's public URL and version, whether it runs the demo, and whether users can choose plans in the dashboard",
    access: { by: 'anyone' },
    answer: z.object({
      version: z.string(),
      publicUrl: z.string(),
      demo: z.boolean(),
      plansForSale: z.boolean(),
    }),
    errors: [],
  }),
};

export const demoRoutes = {
  traffic: defineRoute({
    method: 'POST',
    path: '/api/demo/traffic',
    summary:
      "Let the demo service send a burst of requests (users, posts, health) that are traced into one of the caller's projects",
    access: { by: 'session' },
    body: z.object({ projectId: z.string({ error: 'projectId is required' }) }),
    answer: z.object({ requests: z.number() }),
    errors: ['validation_failed', 'not_found', 'unavailable'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/demo',
    summary: 'Remove the demo workspace with its accounts, projects and traces',
    access: { by: 'session' },
    answer: Done,
    errors: ['forbidden', 'not_found'],
  }),
};
