import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { App, type End } from '../harness/app.ts';
import { modules } from './project.ts';

let collector: Collector;
let address: string;
let folder: string;

beforeEach(async () => {
  collector = new Collector();
  address = await collector.start();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-layouts-')));
});
afterEach(async () => {
  await collector.stop();
  rmSync(folder, { recursive: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

function link(target: string, at: string): void {
  mkdirSync(dirname(join(folder, at)), { recursive: true });
  symlinkSync(join(folder, target), join(folder, at));
}

interface Run {
  readonly script: string;
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts the app, sends it one request, and stops it. */
async function traced({ script, flags, env }: Run): Promise<PostedTrace & { readonly end: End }> {
  const app = new App(join(folder, script), {
    collector: address,
    ...(flags && { flags }),
    env: { NODE_PATH: modules, ...env },
  });
  await (await fetch(`${await app.ready()}/`)).text();
  const end = await app.stop();
  return { ...(await collector.trace('/')), end };
}

const places = (trace: PostedTrace): string[] =>
  trace.flow.map(({ stepName, filePath }) => `${stepName} ${filePath}`);

/** Copy of the SDK in the app's node_modules, where an installation puts it. */
const sdk = join(modules, '@throughline', 'node', 'dist', 'auto.cjs');
const auto = ['--require', sdk];

const shop = `
const http = require('node:http');
const { parse } = require('library');
const { priceOf } = require('@acme/prices');
const { label } = require('linked');
function total(url) { return label(priceOf(parse(url))); }
const server = http.createServer(function handle(req, res) { res.end(String(total(req.url))); });
server.listen(0, '127.0.0.1', () => console.log('listening ' + server.address().port));
`;

/**
 * Creates a workspace in pnpm's layout. The packages of the service are links: to a library in a store of the root's node_modules, to
 * another package of the workspace, and to a package outside of the workspace.
 */
function pnpmWorkspace(): void {
  write({
    'work/package.json': '{"private": true}',
    'work/pnpm-workspace.yaml': "packages:\n  - 'services/*'\n  - libs/*\n",
    'work/services/shop/package.json': '{"name": "shop", "version": "3.2.1"}',
    'work/services/shop/app.js': shop,
    'work/libs/prices/package.json': '{"name": "@acme/prices"}',
    'work/libs/prices/index.js': 'exports.priceOf = function priceOf(sku) { return sku.length; };',
    'work/node_modules/.pnpm/library@1.0.0/node_modules/library/package.json': '{"name": "library"}',
    'work/node_modules/.pnpm/library@1.0.0/node_modules/library/index.js':
      'exports.parse = function parse(url) { return url.slice(1); };',
    'elsewhere/linked/package.json': '{"name": "linked"}',
    'elsewhere/linked/index.js': "exports.label = function label(price) { return 'costs ' + price; };",
  });
  const found = 'work/services/shop/node_modules';
  link('work/node_modules/.pnpm/library@1.0.0/node_modules/library', `${found}/library`);
  link('work/libs/prices', `${found}/@acme/prices`);
  link('elsewhere/linked', `${found}/linked`);
}

const script = 'work/services/shop/app.js';
const own = ['handle services/shop/app.js', 'total services/shop/app.js', 'priceOf libs/prices/index.js'];

test('with pnpm, linked packages of the workspace are traced; libraries and packages linked from elsewhere are not', async () => {
  pnpmWorkspace();
  expect(places(await traced({ script, flags: auto }))).toEqual(own);
  expect(collector.bodies[0]?.service).toMatchObject({ name: 'shop', version: '3.2.1' });
});

test('with pnpm and --preserve-symlinks, linked packages of the workspace are traced', async () => {
  pnpmWorkspace();
  const flags = ['--preserve-symlinks', '--preserve-symlinks-main', ...auto];
  expect(places(await traced({ script, flags })).map((place) => place.split(' ')[0])).toEqual([
    'handle',
    'total',
    'priceOf',
  ]);
});

test.each(
  pickRows(
    [
      [{ THROUGHLINE_EXCLUDE: 'libs' }, own.slice(0, 2)],
      [{ THROUGHLINE_EXCLUDE: '**/app.js' }, own.slice(2)],
      [{ THROUGHLINE_INCLUDE: 'libs/**' }, own.slice(2)],
      [{ THROUGHLINE_INCLUDE: 'services,libs', THROUGHLINE_EXCLUDE: 'libs/{prices,taxes}' }, own.slice(0, 2)],
      [{ THROUGHLINE_INCLUDE: '**,../elsewhere/**' }, [...own, 'label ../elsewhere/linked/index.js']],
      [
        { THROUGHLINE_INCLUDE: '**,node_modules/.pnpm/library@*/**' },
        [
          ...own.slice(0, 2),
          'parse node_modules/.pnpm/library@1.0.0/node_modules/library/index.js',
          ...own.slice(2),
        ],
      ],
    ],
    { usually: 2 },
  ),
)('the options include and exclude select the traced files: %o', async (env, expected) => {
  pnpmWorkspace();
  expect(places(await traced({ script, flags: auto, env }))).toEqual(expected);
});

test('init() in an ES module reports the modules imported before, and traces the modules imported later', async () => {
  write({
    'package.json': '{"type": "module"}',
    'app.js': `
import './start.js';
import http from 'node:http';
import { greet } from './lib/greet.js';
export { nothing } from './lib/nothing.js';
const late = await import('./lib/late.js');
const server = http.createServer(function handle(req, res) { res.end(late.shout(greet('Ada'))); });
server.listen(0, '127.0.0.1', () => console.log('listening ' + server.address().port));
`,
    'start.js':
      "import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('@throughline/node').init();\n",
    'lib/greet.js':
      "import { polish } from './polish.js';\nexport function greet(name) { return polish(name); }\n",
    'lib/polish.js': "export const polish = (name) => 'hello ' + name;\n",
    'lib/nothing.js': 'export const nothing = 0;\n',
    'lib/late.js': 'export function shout(text) { return text.toUpperCase(); }\n',
  });
  const trace = await traced({ script: 'app.js', flags: [] });
  expect(trace.flow.map(({ stepName }) => stepName)).toContain('shout');
  expect(trace.end.stderr).toBe(
    '[throughline] loaded before init, so not traced: app.js, lib/greet.js, lib/polish.js; to trace them, start with: node --import @throughline/node/auto app.js\n',
  );
});
