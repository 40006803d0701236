import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealService } from '../harness/service.ts';

export const ADMIN_TOKEN = '*:*.f1e2d3c4b5a697887766554433221100ffeeddccbbaa99887766554433';
export const CLIENT_TOKEN = 'default:development.00112233445566778899aabbccddeeff001122334455667788';
const admin = { authorization: ADMIN_TOKEN };
const json = { ...admin, 'content-type': 'application/json' };
const client = { authorization: CLIENT_TOKEN };

/** Unleash 8: Express 4, TypeScript compiled to ES modules with source maps, services and stores over knex and pg. */
export const service: RealService = {
  name: 'unleash',
  own: ['unleash-server'],
  script: 'unleash-server/dist/server.js',
  args: () => [],
  needsDatabase: 'PostgreSQL',
  env: (port, database) => ({
    DATABASE_URL: database,
    DATABASE_SSL: 'false',
    HTTP_HOST: '127.0.0.1',
    PORT: `${port}`,
    CHECK_VERSION: 'false',
    SEND_TELEMETRY: 'false',
    INIT_ADMIN_API_TOKENS: ADMIN_TOKEN,
    INIT_CLIENT_API_TOKENS: CLIENT_TOKEN,
    TZ: 'UTC',
  }),
  volatile: [
    /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
    /^etag: .*$/gim,
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    /0[0-9A-HJKMNP-TV-Z]{25}/g,
    // Unleash adds the stage of a new feature within a second of its creation, so some runs read the feature without a stage.
    /(?<="children":\[\],)("lifecycle":\{[^{}]*\},)?/g,
    /^content-length: .*$/gim,
  ],
};

export const scenario: Scenario = {
  inTurn: [
    { path: '/health' },
    { path: '/api/admin/tag-types', headers: admin },
    {
      method: 'POST',
      path: '/api/admin/tag-types',
      headers: json,
      body: '{"name":"team","description":"Who owns it","icon":"T"}',
    },
    { method: 'POST', path: '/api/admin/tag-types', headers: json, body: '{"name":"team"}' },
    {
      method: 'POST',
      path: '/api/admin/projects/default/features',
      headers: json,
      body: '{"name":"checkout","type":"release","description":"A new checkout"}',
    },
    { path: '/api/admin/projects/default/features/checkout', headers: admin },
    {
      method: 'POST',
      path: '/api/admin/projects/default/features/checkout/environments/development/strategies',
      headers: json,
      body: '{"name":"default","constraints":[]}',
    },
    { path: '/api/admin/projects/default/features/missing', headers: admin },
    { path: '/api/client/features', headers: client },
    { path: '/api/admin/tag-types' },
    {
      method: 'POST',
      path: '/api/admin/projects/default/features',
      headers: json,
      body: '{"name":"not a name"}',
    },
    { path: '/api/admin/projects', headers: admin },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) => ({
    path: `/api/admin/tag-types/${buildMarker(nth)}`,
    headers: admin,
  })),
};
