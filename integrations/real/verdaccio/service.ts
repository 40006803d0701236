import { createHash } from 'node:crypto';
import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealService } from '../harness/service.ts';

export const PASSWORD = 'correct-horse-battery';
const json = { 'content-type': 'application/json' };
const tarball = Buffer.from('A tarball that nobody unpacks.');

/** Verdaccio 6: Express 4, TypeScript compiled to CommonJS with source maps, callbacks and promises over files. */
export const service: RealService = {
  name: 'verdaccio',
  own: [
    'verdaccio',
    ...[
      'auth',
      'config',
      'core',
      'hooks',
      'loaders',
      'local-storage-legacy',
      'middleware',
      'tarball',
      'url',
    ].map((name) => `@verdaccio/${name}`),
  ],
  script: 'verdaccio/bin/verdaccio',
  args: (port) => ['--config', 'config.yaml', '--listen', `127.0.0.1:${port}`],
  files: {
    'config.yaml': `storage: ./storage
auth: { htpasswd: { file: ./htpasswd, rounds: 4 } }
uplinks: {}
userRateLimit: { windowMs: 1000, max: 1000000 }
packages: { '@private/*': { access: $authenticated, publish: $authenticated }, '**': { access: $all, publish: $all } }
log: { type: stdout, format: json, level: fatal }
`,
  },
  volatile: [
    /"(?:token|_rev)": ?"[^"]+"/g,
    /^etag: .*$/gim,
    /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
    /"time":"[^"]+"/g,
    /^x-ratelimit-reset: .*$/gim,
  ],
};

const published = {
  _id: 'real-package',
  name: 'real-package',
  description: 'A package to be asked for',
  'dist-tags': { latest: '1.0.0' },
  versions: {
    '1.0.0': {
      name: 'real-package',
      version: '1.0.0',
      description: 'A package to be asked for',
      dist: {
        tarball: 'http://127.0.0.1/real-package/-/real-package-1.0.0.tgz',
        shasum: createHash('sha1').update(tarball).digest('hex'),
      },
    },
  },
  _attachments: {
    'real-package-1.0.0.tgz': {
      content_type: 'application/octet-stream',
      data: tarball.toString('base64'),
      length: tarball.length,
    },
  },
};

export const scenario: Scenario = {
  inTurn: [
    {
      method: 'PUT',
      path: '/-/user/org.couchdb.user:ada',
      headers: json,
      body: JSON.stringify({ name: 'ada', password: PASSWORD }),
    },
    { method: 'PUT', path: '/real-package', headers: json, body: JSON.stringify(published) },
    { path: '/real-package' },
    { path: '/real-package/1.0.0' },
    { path: '/real-package/-/real-package-1.0.0.tgz' },
    { path: '/-/package/real-package/dist-tags' },
    { path: '/-/v1/search?text=real' },
    { path: '/missing-package' },
    { path: '/@private%2fnone' },
    {
      path: '/-/whoami',
      headers: { authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}` },
    },
    { path: '/-/whoami', headers: { authorization: `Basic ${Buffer.from('ada:wrong').toString('base64')}` } },
    { path: '/-/ping' },
    { method: 'PUT', path: '/real-package', headers: json, body: '{"name":' },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) => ({ path: `/real-package?q=${buildMarker(nth)}` })),
};
