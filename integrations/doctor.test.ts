import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeProject, signUp, startServer } from '@throughline/testkit';
import { answer, Collector, storeAll } from '@throughline/testkit/collector';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { appNode } from './harness/app.ts';

const sdk = join(import.meta.dirname, '..', 'packages', 'sdk');
const bin = join(sdk, 'dist', 'doctor.cjs');
const apiKey = `tl_${'k'.repeat(36)}last`;
const collector = new Collector();
let address: string;
let folder: string;

beforeAll(async () => {
  address = await collector.start();
});
afterAll(() => collector.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'throughline-doctor-'));
  write('package.json', {
    name: 'shop',
    version: '1.2.3',
    scripts: { start: 'node --import @throughline/node/auto app.js' },
  });
  write('app.js', 'function one() {}\nconst two = { get value() { return 1; } };\n');
});
afterEach(() => {
  collector.take();
  collector.reply = storeAll;
  rmSync(folder, { recursive: true });
});

function write(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

function install(name: string, version: string, alias = name): void {
  write(`node_modules/${alias}/package.json`, { name, version });
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the doctor in the folder, with settings for the collector and its key unless `env` overrides them. */
async function doctor(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(appNode, [bin, 'doctor', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, THROUGHLINE_API_KEY: apiKey, THROUGHLINE_URL: address, ...env },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    err += text.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

test("the doctor describes a service without problems, and the server stores the doctor's test trace", async () => {
  mkdirSync(join(folder, 'node_modules', '@throughline'), { recursive: true });
  symlinkSync(sdk, join(folder, 'node_modules', '@throughline', 'node'));
  const { code, out, err } = await doctor();
  expect(err).toBe('');
  expect(out).toContain('Project shop 1.2.3 in ');
  expect(out).toContain('ok    1 function in 1 file: traced when loaded');
  expect(out).toMatch(/app\.js:2 .*two\.value: it is an accessor/);
  expect(out).toContain('ok    the SDK is loaded first (npm run start)');
  expect(out).toContain('ok    the server accepts the key tl_••••••••last');
  expect(out).toContain('ok    a test trace is stored: look for /throughline-doctor in the dashboard');
  expect(out).not.toContain(apiKey);
  expect(code).toBe(0);
  expect(collector.keys).toEqual(new Set([apiKey]));
  expect(collector.bodies[0]).toMatchObject({
    service: { name: 'shop', version: '1.2.3' },
    traces: [{ request: { path: '/throughline-doctor' }, flow: [{ stepName: 'doctor' }] }],
  });
});

test('traced files are listed, and files that are excluded or cannot be parsed are listed with the reason', async () => {
  write('broken.js', 'function (');
  write('legacy/old.js', 'module.exports = () => 1;');
  write('lib/esm.mjs', 'export const three = async () => 3;');
  write('lib/typed.ts', 'export function four(n: number): number { return n; }');
  write('lib/screen.tsx', 'export const Screen = (p: { a: string }) => <b>{p.a}</b>;');
  write('lib/types.d.ts', 'export declare const five: number;');
  write('bin/www', '#!/usr/bin/env node\nfunction six() {}\n');
  write('bin/notes', 'not a script');
  write('node_modules/library/index.js', 'function seven() {}');
  write('.cache/hidden.js', 'function eight() {}');
  const { code, out } = await doctor(['--json'], { THROUGHLINE_EXCLUDE: 'legacy' });
  const { files, ok } = JSON.parse(out);
  expect(files.traced.map((file: { path: string }) => file.path).sort()).toEqual([
    'app.js',
    'bin/www',
    'lib/esm.mjs',
    'lib/screen.tsx',
    'lib/typed.ts',
  ]);
  expect(files.skipped).toEqual([
    { path: 'broken.js', reason: expect.stringMatching(/^it cannot be parsed: /) },
    { path: 'legacy/old.js', reason: 'it is excluded by the option exclude' },
  ]);
  expect({ ok, code }).toEqual({ ok: true, code: 0 });
});

test('accessors are not listed as untraced if an option traces them', async () => {
  const { out } = await doctor([], { THROUGHLINE_ACCESSORS: '1' });
  expect(out).toContain('ok    2 functions in 1 file: traced when loaded');
  expect(out).not.toContain('accessor');
});

test('frameworks are identified by the names and versions in their own package.json', async () => {
  write('package.json', {
    name: 'shop',
    dependencies: { web: 'npm:express@^5', express4: 'npm:express@^4', connect: '^3', 'left-pad': '1' },
    devDependencies: { esbuild: '1' },
  });
  install('express', '5.3.0', 'web');
  install('express', '99.0.0', 'express4');
  install('left-pad', '1.0.0');
  install('esbuild', '0.28.0');
  const { packages } = JSON.parse((await doctor(['--json'])).out);
  expect(packages).toMatchObject([
    { name: 'connect', traced: false, says: 'it is not installed' },
    { name: 'esbuild', kind: 'bundler', traced: false },
    { name: 'express', version: '5.3.0', traced: true },
    { name: 'express', version: '99.0.0', traced: false, says: expect.stringContaining('4 to 5') },
  ]);
});

test.each([
  [401, 'FAIL  the server does not know the key tl_••••••••last', 'copy the key again'],
  [402, 'FAIL  the trial has ended', 'choose a plan'],
  [429, 'FAIL  the server accepts no more traces now', 'larger plan'],
  [503, 'cannot accept traces now (503)', 'wait until the server is ready'],
  [404, 'does not accept traces (404)', 'check THROUGHLINE_URL'],
  [200, 'does not accept traces (200)', 'check THROUGHLINE_URL'],
])('a response with status %i is explained with a fix', async (status, says, remedy) => {
  collector.reply = (response) => answer(response, status, '<html>\u001b[31mnothing of ours</html>');
  const { code, out } = await doctor();
  expect(out).toContain(says);
  expect(out).toMatch(new RegExp(`→ .*${remedy}`));
  expect(out).not.toContain('\u001b');
  expect(code).toBe(1);
});

test('the reason is shown if the test trace is rejected', async () => {
  const rejected = [{ index: 0, code: 'too_old', message: 'the clock is wrong' }];
  collector.reply = (response) => answer(response, 200, { accepted: 0, rejected });
  const { code, out } = await doctor();
  expect(out).toContain('the server rejected the test trace: too_old: the clock is wrong');
  expect(code).toBe(1);
});

test('a missing key, an unreachable server, an invalid setting and a service that does not start the SDK are shown with fixes', async () => {
  write('package.json', { name: 'shop' });
  const { code, out } = await doctor([], {
    THROUGHLINE_API_KEY: '',
    THROUGHLINE_URL: 'http://127.0.0.1:9',
    THROUGHLINE_SAMPLE_RATE: 'half',
  });
  expect(out).toContain('FAIL  THROUGHLINE_API_KEY is not set');
  expect(out).toContain('FAIL  http://127.0.0.1:9 cannot be reached (ECONNREFUSED)');
  expect(out).toContain('THROUGHLINE_SAMPLE_RATE must be a number from 0 to 1');
  expect(out).toContain('note  nothing starts the SDK');
  expect(out).toContain('note  @throughline/node is not installed in this project');
  expect(out).toContain('→ start the service with: node --import @throughline/node/auto app.js');
  expect(out).toContain('3 problems must be fixed.');
  expect(code).toBe(1);
});

test.each([
  [
    'a script',
    { scripts: { dev: 'ts-node src/main.ts' } },
    { NODE_OPTIONS: '--import @throughline/node/auto' },
  ],
  [
    'its options',
    { scripts: { dev: 'node --import=@throughline/node/auto -r ts-node/register main.ts' } },
    {},
  ],
])('--require is suggested if ts-node is started with --import (%s)', async (_where, manifest, env) => {
  write('package.json', { name: 'shop', ...manifest });
  write('node_modules/@throughline/node/package.json', { exports: { './auto': './auto.js' } });
  write('node_modules/@throughline/node/auto.js', '');
  const { code, out } = await doctor(['--json'], env);
  const { checks } = JSON.parse(out);
  expect(checks).toContainEqual({
    about: 'start',
    state: 'failed',
    says: 'ts-node without its hook for ES modules (ts-node/esm) does not work with --import: the service does not start (npm run dev)',
    remedy: 'write --require @throughline/node/auto in place of --import @throughline/node/auto',
  });
  expect(code).toBe(1);
});

test.each([
  ['node --require @throughline/node/auto --require ts-node/register main.ts'],
  ['node --import @throughline/node/auto --loader ts-node/esm main.ts'],
  ['node --import @throughline/node/auto --import \'data:text/javascript,register("ts-node/esm")\' main.ts'],
  ['node --import @throughline/node/auto dist/main.js'],
])('no problem with ts-node is reported for %s', async (dev) => {
  write('package.json', { name: 'shop', scripts: { dev } });
  const { out } = await doctor();
  expect(out).not.toContain('ts-node');
});

test('the project of a given main script is checked, and control characters in names are not printed', async () => {
  write('service/package.json', { name: 'api\u001b[2J', type: 'module' });
  write(
    'service/src/main.js',
    "import { init } from '@throughline/node';\ninit();\nexport const f = () => 1;\n",
  );
  const { out } = await doctor(['service/src/main.js']);
  expect(out).toContain(`in ${join(folder, 'service')}`);
  expect(out).toContain('src/main.js calls init: it must be the first file that runs');
  expect(out).not.toContain('\u001b');
});

test.each([[['--nonsense']], [['a.js', 'b.js']]])(
  'invalid arguments (%j) lead to usage and status 2',
  async (args) => {
    const { code, err } = await doctor(args);
    expect(err).toContain('throughline-node doctor [SCRIPT] [--json]');
    expect(code).toBe(2);
  },
);

test('a missing main script is reported', async () => {
  const { code, out } = await doctor(['server.js']);
  expect(out).toContain(`FAIL  there is no file ${join(folder, 'server.js')}`);
  expect(code).toBe(1);
});

test('an empty folder and a loop of links cause no error', async () => {
  rmSync(join(folder, 'app.js'));
  symlinkSync(folder, join(folder, 'again'));
  const { code, out } = await doctor();
  expect(out).toContain('note  no function of this project would be traced');
  expect(code).toBe(0);
});

test("the real server stores the doctor's test trace", async () => {
  const server = await startServer();
  try {
    const person = await signUp(server);
    const project = await makeProject(person);
    const { code, out } = await doctor(['--json'], {
      THROUGHLINE_API_KEY: project.apiKey,
      THROUGHLINE_URL: server.url,
    });
    const { checks } = JSON.parse(out);
    expect(checks.at(-1)).toMatchObject({ about: 'test trace', state: 'ok' });
    expect(code).toBe(0);
    const list = await fetch(`${server.url}/api/traces?projectId=${project.id}`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(await list.json()).toMatchObject({ traces: [{ request: { path: '/throughline-doctor' } }] });
  } finally {
    await server.stop();
  }
});
