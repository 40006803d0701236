import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Collector } from '@throughline/testkit/collector';
import { afterAll, beforeAll, expect, test } from 'vitest';

const sdk = join(import.meta.dirname, '..', 'packages', 'sdk');
const text = readFileSync(join(sdk, 'README.md'), 'utf8');
const snippets = [...text.matchAll(/```(sh|js)\n([\s\S]*?)```/g)].map(([, kind, code = '']) => ({
  kind,
  code,
}));
const collector = new Collector();
let folder: string;
let address: string;

beforeAll(async () => {
  address = await collector.start();
  folder = mkdtempSync(join(tmpdir(), 'throughline-readme-'));
  writeFileSync(join(folder, 'package.json'), '{"name":"newcomer","type":"commonjs"}');
  mkdirSync(join(folder, 'node_modules', '@throughline'), { recursive: true });
  symlinkSync(sdk, join(folder, 'node_modules', '@throughline', 'node'));
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

function env(path: string): NodeJS.ProcessEnv {
  return { PATH: `${join(process.execPath, '..')}:${process.env.PATH}`, THROUGHLINE_URL: address, ASK: path };
}

test('there are snippets to try', () => {
  expect(snippets.map(({ kind }) => kind)).toEqual(['sh', 'js', 'js']);
});

test('the commands start an app that is traced', async () => {
  writeFileSync(join(folder, 'app.js'), app);
  // The package is in place; installing it from a registry is the one line that cannot be tried.
  const commands = (snippets[0]?.code ?? '').replace(/^npm install @throughline\/node\n/, '');
  expect(commands).not.toBe(snippets[0]?.code);
  const shell = spawn('sh', ['-e', '-c', commands], { cwd: folder, env: env('/shell'), stdio: 'inherit' });
  expect(await new Promise((resolve) => shell.once('close', resolve))).toBe(0);
  expect((await collector.trace('/shell')).flow[0]).toMatchObject({
    stepType: 'handler',
    filePath: 'app.js',
  });
});

test('the one line in code traces', async () => {
  writeFileSync(join(folder, 'first.js'), `${snippets[1]?.code}${app}`);
  execFileSync('node', ['first.js'], {
    cwd: folder,
    env: { ...env('/line'), THROUGHLINE_API_KEY: 'tl_x' },
    stdio: 'pipe',
  });
  expect((await collector.trace('/line')).response.statusCode).toBe(200);
});

test('the functions do what is said of them', async () => {
  writeFileSync(join(folder, 'functions.js'), `${snippets[2]?.code}${app}`);
  execFileSync('node', ['--import', '@throughline/node/auto', 'functions.js'], {
    cwd: folder,
    env: { ...env('/functions'), THROUGHLINE_API_KEY: 'tl_x' },
  });
  const trace = await collector.trace('/functions');
  expect(trace).toMatchObject({ user: { id: 'u1' }, attributes: { cart: 'c1' }, response: { body: '4' } });
  expect(trace.flow.map(({ stepName }) => stepName)).toEqual(
    expect.arrayContaining(['checkout', 'price the cart']),
  );
});
