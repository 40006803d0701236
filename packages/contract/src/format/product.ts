import { z } from 'zod';
import { Done } from '../accounts/auth.ts';
import { defineRoute } from '../http/route.ts';

/** The product's name and subtitle, used in several places. */
export const PRODUCT = { name: 'Throughline', subtitle: 'Runtime Flow Visualizer' } as const;

/**
 * URL path from which the server serves the SDK package, for installations that cannot use the package
 * registry.
 */
export const SDK_TARBALL_PATH = '/sdk/throughline-node.tgz';

const Stores = z.object({ control: z.enum(['up', 'down']), traces: z.enum(['up', 'down']) });

export const productRoutes = {
  live: defineRoute({
    method: 'GET',
    path: '/api/health/live',
    summary: 'The process answers',
    access: { by: 'anyone' },
    answer: z.object({ status: z.literal('live') }),
    errors: [],
  }),
  ready: defineRoute({
    method: 'GET',
    path: '/api/health/ready',
    summary: 'Both stores answer; 503 while starting, stopping or when a store is gone',
    access: { by: 'anyone' },
    answer: z.object({ status: z.literal('ready'), stores: Stores }),
    errors: ['unavailable'],
  }),
  openApi: defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description',
    access: { by: 'anyone' },
    answer: z.record(z.string(), z.unknown()),
    errors: [],
  }),
  /** Data that screens need before the user signs in. */
  about: defineRoute({
    method: 'GET',
    path: '/api/about',
    summary:
      "The server's public address and version, whether it runs the demo, and whether plans are chosen on its screens",
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
      'Ask the demo service for a burst of requests (users, posts, health) that is traced into a project of yours',
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
