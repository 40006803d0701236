import { createHash } from 'node:crypto';

/**
 * One request of a scenario, with the expected status. No scenario has a HEAD request: autocannon waits for the body that its content-length
 * announces, and gives up after ten seconds.
 */
export interface ScenarioRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

/** A service to trace, and the requests that it receives. */
export interface Service {
  readonly name: string;
  /** Path relative to the folder of the services. */
  readonly script: string;
  args(port: number): readonly string[];
  /** Files that are in the working directory when the service starts. */
  readonly files?: Readonly<Record<string, string>>;
  /** Requests that create the service's data. They are sent once the service is ready. */
  readonly setup: readonly ScenarioRequest[];
  /** Requests that each connection repeats in this order. */
  readonly scenario: readonly ScenarioRequest[];
  /** Number of requests in a round, without the warm-up. */
  readonly requests: number;
}

const json = { 'content-type': 'application/json' };
const turtle = { 'content-type': 'text/turtle' };
const get = (path: string, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  ({ method: 'GET', path, headers, status }) satisfies ScenarioRequest;

const tarball = Buffer.from('No package, but as long as a small one. '.repeat(100));
const published = {
  _id: 'bench-package',
  name: 'bench-package',
  description: 'A package to be asked for',
  'dist-tags': { latest: '1.0.0' },
  versions: {
    '1.0.0': {
      name: 'bench-package',
      version: '1.0.0',
      description: 'A package to be asked for',
      keywords: ['bench', 'package'],
      author: { name: 'Ada' },
      dependencies: { koa: '^3.0.0', knex: '^3.0.0' },
      dist: {
        tarball: 'http://127.0.0.1/bench-package/-/bench-package-1.0.0.tgz',
        shasum: createHash('sha1').update(tarball).digest('hex'),
      },
    },
  },
  _attachments: {
    'bench-package-1.0.0.tgz': {
      content_type: 'application/octet-stream',
      data: tarball.toString('base64'),
      length: tarball.length,
    },
  },
};

/** The settings allow more searches, because Verdaccio by default rejects searches after the first thousand. */
const verdaccio = {
  name: 'verdaccio',
  packageName: 'verdaccio',
  script: 'verdaccio/bin/verdaccio',
  args: (port) => ['--config', 'config.yaml', '--listen', `127.0.0.1:${port}`],
  files: {
    'config.yaml': `storage: ./storage
auth: { htpasswd: { file: ./htpasswd } }
uplinks: {}
userRateLimit: { windowMs: 1000, max: 1000000 }
packages: { '**': { access: $all, publish: $all } }
log: { type: stdout, format: json, level: fatal }
`,
  },
  setup: [
    {
      method: 'PUT',
      path: '/bench-package',
      headers: json,
      body: JSON.stringify(published),
      status: 201,
    },
  ],
  scenario: [
    get('/bench-package'),
    get('/bench-package/-/bench-package-1.0.0.tgz'),
    get('/-/v1/search?text=bench'),
    get('/-/package/bench-package/dist-tags'),
    get('/bench-package/1.0.0'),
    get('/missing-package', 404),
  ],
  requests: 6000,
} satisfies PackagedService;

const text = { 'content-type': 'text/plain' };
const s3rver = {
  name: 's3rver',
  packageName: 's3rver',
  script: 's3rver/bin/s3rver.js',
  args: (port) => [
    '-d',
    'data',
    '-a',
    '127.0.0.1',
    '-p',
    `${port}`,
    '--silent',
    '--configure-bucket',
    'bench',
  ],
  setup: Array.from({ length: 10 }, (_, nth) => ({
    method: 'PUT',
    path: `/bench/notes/${nth}.txt`,
    headers: text,
    body: `Note ${nth}`,
    status: 200,
  })),
  scenario: [
    get('/bench/notes/1.txt'),
    get('/bench/notes/2.txt'),
    get('/bench?prefix=notes/'),
    { method: 'PUT', path: '/bench/drafts/1.txt', headers: text, body: 'A draft', status: 200 },
    get('/'),
    get('/bench/missing.txt', 404),
  ],
  requests: 3000,
} satisfies PackagedService;

const jsonServer = {
  name: 'json-server',
  packageName: 'json-server',
  script: 'json-server/lib/cli/bin.js',
  args: (port) => ['--port', `${port}`, '--host', '127.0.0.1', '--quiet', 'db.json'],
  files: {
    'db.json': JSON.stringify({
      posts: Array.from({ length: 40 }, (_, nth) => ({
        id: nth + 1,
        title: `Post ${nth + 1}`,
        author: `user${nth % 5}`,
        views: nth,
      })),
      comments: Array.from({ length: 80 }, (_, nth) => ({
        id: nth + 1,
        body: 'A comment of some length',
        postId: (nth % 40) + 1,
      })),
    }),
  },
  setup: [],
  scenario: [
    get('/posts?_page=1&_limit=10'),
    get('/posts/3?_embed=comments'),
    get('/comments?q=some&_limit=5'),
    { method: 'PATCH', path: '/posts/2', headers: json, body: '{"views":3}', status: 200 },
    { method: 'PUT', path: '/posts/4', headers: json, body: '{"title":"New","views":3}', status: 200 },
    get('/posts/999', 404),
  ],
  requests: 6000,
} satisfies PackagedService;

const solid = {
  name: 'community-solid-server',
  packageName: '@solid/community-server',
  script: 'community-solid-server/bin/server.js',
  args: (port) => ['-p', `${port}`, '-b', `http://127.0.0.1:${port}/`, '-l', 'error'],
  setup: ['a', 'b'].map((name) => ({
    method: 'PUT',
    path: `/notes/${name}.ttl`,
    headers: turtle,
    body: '<#it> <http://schema.org/name> "Ada".',
    status: 201,
  })),
  scenario: [
    get('/notes/a.ttl', 200, { accept: 'application/ld+json' }),
    get('/notes/', 200, { accept: 'text/turtle' }),
    get('/notes/a.ttl', 200, { accept: 'text/turtle' }),
    {
      method: 'PUT',
      path: '/notes/b.ttl',
      headers: turtle,
      body: '<#it> <http://schema.org/name> "Bo".',
      status: 205,
    },
    get('/notes/a.ttl', 200, { accept: 'application/n-triples' }),
    get('/notes/missing.ttl', 404),
  ],
  requests: 1500,
} satisfies PackagedService;

const articles = {
  name: 'fastify-articles',
  script: 'fastify-articles/server.js',
  args: (port) => [`${port}`],
  setup: [],
  scenario: [
    get('/api/articles?limit=10'),
    get('/api/articles/article-3'),
    get('/api/tags'),
    {
      method: 'POST',
      path: '/api/users/login',
      headers: json,
      body: JSON.stringify({ user: { email: 'user2@example.com', password: 'correct horse 2' } }),
      status: 200,
    },
    {
      method: 'PUT',
      path: '/api/articles/article-4',
      headers: { ...json, authorization: 'Token user-2' },
      body: JSON.stringify({ article: { description: 'What we know now' } }),
      status: 200,
    },
    {
      method: 'POST',
      path: '/api/users/login',
      headers: json,
      body: JSON.stringify({ user: { email: 'not an address' } }),
      status: 422,
    },
  ],
  requests: 12_000,
} satisfies Service;

interface PackagedService extends Service {
  readonly packageName: string;
}

/** Services published on the npm registry. */
export const packaged: readonly PackagedService[] = [verdaccio, s3rver, jsonServer, solid];

/**
 * The published services, and one that was written for this benchmark, since no Fastify service is published as a package. The written
 * service has the structure of the RealWorld services.
 */
export const services: readonly Service[] = [...packaged, articles];
