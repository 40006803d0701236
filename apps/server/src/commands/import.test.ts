import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '@throughline/contract';
import {
  aTrace,
  makeOrganization,
  makeProject,
  type Person,
  runCommand,
  sendTraces,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let owner: Person;
let folder: string;
let file: string;
beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'throughline-import-'));
  file = join(folder, 'traces.ndjson');
  ({ owner } = await makeOrganization(server));
  const { id, apiKey } = await makeProject(owner, 'from');
  const traces = Array.from({ length: 2345 }, (_trace, index) =>
    aTrace({
      request: { method: 'GET', path: `/${index}` },
      timing: { startTime: new Date().toISOString(), duration: index },
    }),
  );
  await sendTraces(server, apiKey, traces);
  const answer = await owner.client.open(routes.traces.export, { query: { projectId: id } });
  await writeFile(file, await answer.text());
}, 120_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const imported = (env: Record<string, string>, name = file) =>
  runCommand(['import', name], { dataDir: folder, env: { THROUGHLINE_URL: server.url, ...env } });

test('an exported file is imported completely in several batches, and a second import duplicates nothing', async () => {
  const { id, apiKey } = await makeProject(owner, 'to');
  const env = { THROUGHLINE_API_KEY: apiKey };
  const result = { code: 0, stdout: '2345 traces were imported.\n', stderr: '' };
  expect(await imported(env)).toEqual(result);
  expect(await imported(env)).toEqual(result);
  const { total } = await owner.client.call(routes.traces.list, { query: { projectId: id } });
  expect(total).toBe(2345);
});

test.runIf(isThorough())('rejected lines are reported, and the other lines are imported', async () => {
  const { apiKey } = await makeProject(owner, 'some');
  const [first = ''] = (await readFile(file, 'utf8')).split('\n');
  const some = join(folder, 'some.ndjson');
  await writeFile(some, `${first}\n\n{"request":{}}\n`);
  const { code, stdout, stderr } = await imported({ THROUGHLINE_API_KEY: apiKey }, some);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '1 trace was imported.\n' });
  expect(stderr).toMatch(/^1 of the lines were not accepted:\nline 3: request\.method: /);
});

test('lines that cannot be read are reported with instructions to fix them, and all other lines of the file are imported', async () => {
  const { id, apiKey } = await makeProject(owner, 'unreadable');
  const buildLine = (path: string) =>
    Buffer.from(JSON.stringify({ ...aTrace({ request: { method: 'GET', path } }), service: 'shop' }));
  const [first, latin, cut, last] = [buildLine('/é'), buildLine('/!'), buildLine('/cut'), buildLine('/last')];
  latin[latin.indexOf('!')] = 0xe9;
  const lines = [first, latin, cut.subarray(0, 40), last];
  const unreadable = join(folder, 'unreadable.ndjson');
  await writeFile(unreadable, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])));
  const { code, stdout, stderr } = await imported({ THROUGHLINE_API_KEY: apiKey }, unreadable);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '2 traces were imported.\n' });
  expect(stderr.trim().split('\n')).toEqual([
    '2 of the lines were not accepted:',
    expect.stringMatching(/^line 2: contains bytes that are not UTF-8\. Convert the file to UTF-8/),
    expect.stringMatching(/^line 3: is not JSON: .* Is the line complete\?$/),
  ]);
  const { traces } = await owner.client.call(routes.traces.list, { query: { projectId: id } });
  expect(traces.map(({ request }) => request.path).sort()).toEqual(['/last', '/é']);
});

test('refused lines are reported in the order of their line numbers, even if the import cannot send a batch', async () => {
  const { apiKey } = await makeProject(owner, 'order');
  const mixed = join(folder, 'mixed.ndjson');
  await writeFile(
    mixed,
    ['{"request":{}}', '{"cut', JSON.stringify(aTrace()), '{"request":{}}', '{"cut'].join('\n'),
  );
  const read = async (env: Record<string, string>) => {
    const { stderr } = await imported(env, mixed);
    return stderr
      .trim()
      .split('\n')
      .map((line) => /^line \d|^\d of the lines|^The server/.exec(line)?.[0]);
  };
  expect(await read({ THROUGHLINE_API_KEY: apiKey })).toEqual([
    '4 of the lines',
    ...[1, 2, 4, 5].map((number) => `line ${number}`),
  ]);
  expect(await read({ THROUGHLINE_API_KEY: 'x' })).toEqual([
    '2 of the lines',
    'line 2',
    'line 5',
    'The server',
  ]);
});

test.runIf(isThorough())('an import that cannot begin fails with a one-line reason', async () => {
  const said = async (env: Record<string, string>, name?: string) => {
    const { code, stderr } = await imported(env, name);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr;
  };
  expect(await said({})).toMatch(/^Set THROUGHLINE_API_KEY/);
  expect(await said({ THROUGHLINE_API_KEY: 'x' }, join(folder, 'none'))).toMatch(/^There is no file/);
  expect(await said({ THROUGHLINE_API_KEY: 'x' })).toMatch(/^The server did not accept lines 1 to 1000: /);
  const gone = { THROUGHLINE_API_KEY: 'x', THROUGHLINE_URL: 'http://127.0.0.1:1' };
  expect(await said(gone)).toMatch(/Is THROUGHLINE_URL correct\?\n$/);
});

test.runIf(isThorough())(
  'the import sends a batch again to a busy server after the time in Retry-After',
  async () => {
    let asked = 0;
    const busy = createServer((request, response) => {
      request.resume();
      asked += 1;
      const overloaded = { error: { code: 'overloaded', message: 'wait' } };
      if (asked === 1) response.writeHead(503, { 'retry-after': '1' }).end(JSON.stringify(overloaded));
      else response.end(JSON.stringify({ accepted: 1, rejected: [] }));
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const address = busy.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const one = join(folder, 'one.ndjson');
    await writeFile(one, JSON.stringify(aTrace()));
    const env = { THROUGHLINE_API_KEY: 'x', THROUGHLINE_URL: `http://127.0.0.1:${port}` };
    expect((await imported(env, one)).stdout).toBe('1 trace was imported.\n');
    expect(asked).toBe(2);
    busy.close();
  },
);
