import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Collector } from '@throughline/testkit/collector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appNode } from './harness/app.ts';

const sdk = join(import.meta.dirname, '..', 'packages', 'sdk');
const text = readFileSync(join(sdk, 'README.md'), 'utf8');
const snippets = [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind, code = '']) => ({
  kind,
  code,
}));
const tried = new Set<number>();

/** Returns the snippet of the README that contains `words`. */
function snippet(words: string): string {
  const at = snippets.findIndex(({ code }) => code.includes(words));
  tried.add(at);
  return snippets[at]?.code ?? expect.unreachable(`no snippet holds ${words}`);
}

const collector = new Collector();
let folder: string;
let address: string;

beforeAll(async () => {
  address = await collector.start();
  folder = mkdtempSync(join(tmpdir(), 'throughline-readme-'));
  writeFileSync(join(folder, 'package.json'), '{"name":"newcomer","type":"commonjs"}');
  mkdirSync(join(folder, 'node_modules', '@throughline'), { recursive: true });
  symlinkSync(sdk, join(folder, 'node_modules', '@throughline', 'node'));
  for (const name of ['esbuild', 'old-typescript', 'ts-node', 'unplugin'])
    symlinkSync(join(import.meta.dirname, '..', 'node_modules', name), join(folder, 'node_modules', name));
  // Creates a link to the SDK's command, as npm does.
  mkdirSync(join(folder, 'node_modules', '.bin'));
  symlinkSync(
    '../@throughline/node/dist/doctor.cjs',
    join(folder, 'node_modules', '.bin', 'throughline-node'),
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await collector.stop();
});

const app = `
const http = require('node:http');
const server = http.createServer(async (req, res) => {
  const answer = typeof checkout === 'function' ? await checkout({ id: 'c1', items: [1, 2] }, { id: 'u1' }) : 'ok';
  res.end(String(answer));
});
server.listen(0, () => http.get({ port: server.address().port, path: process.env.ASK, agent: false }, (res) => {
  res.resume().on('end', () => server.close());
}));
`;

function env(path: string, node = appNode): NodeJS.ProcessEnv {
  return {
    PATH: `${join(node, '..')}:${process.env.PATH}`,
    HOME: folder,
    THROUGHLINE_URL: address,
    ASK: path,
  };
}

const keyed = (path: string) => ({ ...env(path), THROUGHLINE_API_KEY: 'tl_x' });

/** Runs shell commands in the folder, and stops at the first failure. */
async function shell(commands: string, settings: NodeJS.ProcessEnv): Promise<{ code: unknown; out: string }> {
  const child = spawn('sh', ['-e', '-c', commands], {
    cwd: folder,
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString();
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, out };
}

test('the commands of the README start a traced app', async () => {
  writeFileSync(join(folder, 'app.js'), app);
  const commands = snippet('npm install');
  // Leaves out the installation from a registry, because the package is already installed. Only this line is not tested.
  const tryable = commands.replace(/^npm install @throughline\/node\n/, '');
  expect(tryable).not.toBe(commands);
  expect(await shell(tryable, env('/shell'))).toMatchObject({ code: 0 });
  expect((await collector.trace('/shell')).flow[0]).toMatchObject({
    stepType: 'handler',
    filePath: 'app.js',
  });
});

test('the line of code in the README traces an app', async () => {
  writeFileSync(join(folder, 'first.js'), `${snippet("require('@throughline/node').init()")}${app}`);
  expect(await shell('node first.js', keyed('/line'))).toMatchObject({ code: 0 });
  expect((await collector.trace('/line')).response.statusCode).toBe(200);
});

test("the README's command for ts-node starts a traced app", async () => {
  // Uses an enum, so that the test needs ts-node's compiler: Node strips types, but does not support enums.
  writeFileSync(join(folder, 'app.ts'), `enum Kind { One = 1 }\nexport const kind = Kind.One;\n${app}`);
  const settings = {
    ...keyed('/ts-node'),
    TS_NODE_COMPILER: 'old-typescript',
    TS_NODE_COMPILER_OPTIONS: '{"module":"commonjs","target":"es2022"}',
    TS_NODE_TRANSPILE_ONLY: 'true',
  };
  const commands = snippet('ts-node app.ts').replace(
    'ts-node app.ts',
    'node_modules/ts-node/dist/bin.js app.ts',
  );
  expect(await shell(commands, settings)).toMatchObject({ code: 0 });
  expect((await collector.trace('/ts-node')).flow[0]).toMatchObject({
    stepType: 'handler',
    filePath: 'app.ts',
  });
});

test("the README's doctor command finds no problem", async () => {
  writeFileSync(join(folder, 'app.js'), app);
  const { code, out } = await shell(snippet('doctor'), keyed('/doctor'));
  expect(out).toContain('a test trace is stored');
  expect(code).toBe(0);
});

test('a bundled app is traced with the lines of its source', async () => {
  writeFileSync(join(folder, 'app.js'), app);
  writeFileSync(join(folder, 'build.mjs'), snippet("from 'esbuild'"));
  // Bundlers need a newer Node than services do.
  expect(await shell('node build.mjs', env('/bundled', process.execPath))).toMatchObject({ code: 0 });
  expect(await shell(snippet('dist/app.js\n'), keyed('/bundled'))).toMatchObject({ code: 0 });
  expect((await collector.trace('/bundled')).flow[0]).toMatchObject({
    stepType: 'handler',
    filePath: 'app.js',
  });
});

test("the SDK's functions work as the README describes", async () => {
  writeFileSync(join(folder, 'functions.js'), `${snippet('const { step,')}${app}`);
  expect(await shell('node --import @throughline/node/auto functions.js', keyed('/functions'))).toMatchObject(
    { code: 0 },
  );
  const trace = await collector.trace('/functions');
  expect(trace).toMatchObject({ user: { id: 'u1' }, attributes: { cart: 'c1' }, response: { body: '4' } });
  expect(trace.flow.map(({ stepName }) => stepName)).toEqual(
    expect.arrayContaining(['checkout', 'price the cart']),
  );
});

test('the package size in the README is correct', () => {
  const [, ...sizes] = /has ([\d,]+) kB packed and ([\d,]+) kB unpacked/.exec(text) ?? [];
  const [packed, unpacked] = sizes.map((size) => Number(size.replaceAll(',', '')));
  const tarball = join(sdk, 'packed', 'throughline-node.tgz');
  const whole = gunzipSync(readFileSync(tarball)).length / 1000;
  expect(Math.abs(statSync(tarball).size / 1000 / (packed ?? 0) - 1)).toBeLessThan(0.1);
  expect(Math.abs(whole / (unpacked ?? 0) - 1)).toBeLessThan(0.1);
});

test('each code block of the README is run by these tests', () => {
  expect([...tried].sort()).toEqual(snippets.map((_, index) => index));
});

test('the README names each option and function of the SDK', () => {
  const table = [...text.matchAll(/^\| (`.*?) +\|/gm)].map(([, cell]) => cell).join('\n');
  const declared = readFileSync(join(sdk, 'dist', 'types', 'sdk', 'src', 'config', 'options.d.cts'), 'utf8');
  const [, body = ''] = /interface Options \{([\s\S]*?)\n\}/.exec(declared) ?? [];
  const options = [...body.matchAll(/readonly (\w+)\?/g)].map(([, name]) => name);
  expect(options.length).toBeGreaterThan(10);
  for (const name of options) expect(table).toContain(`\`${name}\``);
  const functions = Object.keys(createRequire(join(folder, 'x.js'))('@throughline/node'));
  for (const name of functions) if (name !== 'init') expect(table).toContain(`\`${name}(`);
});
