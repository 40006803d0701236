import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { Answer, RealRequest, RealService } from '../harness/service.ts';

export const PASSWORD = 'correct-horse-battery';
const SITE = 'http://localhost:2368';
const json = { 'content-type': 'application/json', origin: SITE };

/** Ghost 6: nested Express 4 apps, controllers in a pipeline, Bookshelf models over knex and mysql2, Handlebars with async helpers. */
export const service: RealService = {
  name: 'ghost',
  own: ['ghost', '@tryghost/api-framework'],
  tarballs: 'ghost/components',
  script: 'ghost/index.js',
  args: () => [],
  needsDatabase: 'MariaDB',
  env: (port, database) => {
    const url = new URL(database);
    return {
      server__port: `${port}`,
      database__connection__port: url.port,
      database__connection__database: url.pathname.slice(1),
      TZ: 'UTC',
    };
  },
  files: {
    // Ghost reads its version from the working directory, where its command line puts a link to the installed version.
    'package.json': JSON.stringify({ name: 'ghost', version: '6.65.0' }),
    'config.production.json': JSON.stringify({
      url: SITE,
      server: { host: '127.0.0.1' },
      database: { client: 'mysql', connection: { host: '127.0.0.1', user: 'root' } },
      // `stub` sends no mails; the privacy settings turn off requests to other companies.
      mail: { transport: 'stub' },
      sendWelcomeEmail: false,
      privacy: { useTinfoil: true },
      explore: { update_url: '' },
      updateCheck: { url: '' },
      security: { staffDeviceVerification: false },
      // Each unknown post counts as an attempt to guess a key.
      spam: { content_api_key: { freeRetries: 1000 } },
      // With Ghost's default timeout, a page omits a part whose query takes longer than 5 s.
      optimization: { getHelper: { timeout: { threshold: 60_000 } } },
      logging: { transports: ['stdout'], level: 'info' },
    }),
  },
  printsWhenReady: 'Ghost booted in',
  volatile: [
    /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g,
    /\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g,
    /^etag: .*$/gim,
    /^content-length: .*$/gim,
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    /ghost-admin-api-session=[^;]+/g,
    /\b[0-9a-f]{24,}(?::[0-9a-f]{64})?\b/g,
  ],
};

/** Number of the request that logs in. */
const LOGIN = 6;
/** Number of the request that creates the key of the Content API. */
const INTEGRATION = 8;

const login = (username: string, password: string): RealRequest => ({
  method: 'POST',
  path: '/ghost/api/admin/session/',
  headers: json,
  body: JSON.stringify({ username, password }),
});

function signedIn(request: RealRequest): RealRequest {
  return {
    ...request,
    adapt: (earlier) => ({ path: request.path, headers: { ...json, cookie: readCookie(earlier[LOGIN]) } }),
  };
}

function readCookie(answer: Answer | undefined): string {
  return /^set-cookie: ([^;]+)/im.exec((answer?.headers ?? []).join('\n'))?.[1] ?? '';
}

function readContentKey(answer: Answer | undefined): string {
  const { integrations } = JSON.parse(answer?.body.toString() ?? '{}');
  const keys: { type: string; secret: string }[] = integrations?.[0]?.api_keys ?? [];
  return keys.find(({ type }) => type === 'content')?.secret ?? '';
}

function withContentKey(path: string): RealRequest {
  return { path, adapt: (earlier) => ({ path: `${path}&key=${readContentKey(earlier[INTEGRATION])}` }) };
}

const post = {
  title: 'A post to be read',
  status: 'published',
  tags: [{ name: 'News' }],
  lexical: JSON.stringify({
    root: {
      type: 'root',
      version: 1,
      direction: 'ltr',
      format: '',
      indent: 0,
      children: [
        {
          type: 'paragraph',
          version: 1,
          direction: 'ltr',
          format: '',
          indent: 0,
          children: [
            {
              type: 'text',
              version: 1,
              text: 'A first paragraph.',
              detail: 0,
              format: 0,
              mode: 'normal',
              style: '',
            },
          ],
        },
      ],
    },
  }),
};

export const scenario: Scenario = {
  inTurn: [
    { path: '/' },
    { path: '/coming-soon/' },
    { path: '/missing/' },
    { path: '/rss/' },
    {
      method: 'POST',
      path: '/ghost/api/admin/authentication/setup/',
      headers: json,
      body: JSON.stringify({
        setup: [{ name: 'Ada', email: 'ada@example.com', password: PASSWORD, blogTitle: 'Notes' }],
      }),
    },
    login('ada@example.com', 'wrong-horse-battery'),
    login('ada@example.com', PASSWORD),
    signedIn({
      method: 'POST',
      path: '/ghost/api/admin/posts/',
      body: JSON.stringify({ posts: [post] }),
    }),
    signedIn({
      method: 'POST',
      path: '/ghost/api/admin/integrations/?include=api_keys',
      body: JSON.stringify({ integrations: [{ name: 'Reader' }] }),
    }),
    withContentKey('/ghost/api/content/posts/?include=tags'),
    { path: '/ghost/api/content/posts/?key=00112233445566778899aabbcc' },
    signedIn({ method: 'POST', path: '/ghost/api/admin/posts/', body: '{"posts":[{"title":""}]}' }),
    signedIn({ method: 'POST', path: '/ghost/api/admin/posts/', body: '{"posts":' }),
    { path: '/a-post-to-be-read/' },
    { path: '/ghost/api/admin/posts/', headers: json },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    withContentKey(`/ghost/api/content/posts/slug/${buildMarker(nth)}/?fields=id`),
  ),
};
