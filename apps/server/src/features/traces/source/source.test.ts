import { type IngestTrace, routes } from '@throughline/contract';
import { aTrace, makeProject, sendTraces, signUp } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import type { z } from 'zod';

const file = serverOfFile();

type SentTrace = z.input<typeof IngestTrace>;
type Sources = SentTrace['sources'];

const service = { name: 'shop' };
const FILE = 'src/tax.ts';
const VERSION = 'aB3_-9xyz012';
const TEXT = 'export function rateFor(country: string) {\n  return rates.get(country);\n}';

async function aScene() {
  const person = await signUp(file.server);
  const project = await makeProject(person);
  const send = async (sources: Sources, path: string) => {
    await sendTraces(
      file.server,
      project.apiKey,
      [aTrace({ request: { method: 'GET', path }, sources })],
      service,
    );
    const { traces } = await person.client.call(routes.traces.list, { query: { limit: 100 } });
    return traces.find(({ request }) => request.path === path)?._id ?? '';
  };
  const readFiles = async (id: string, of?: string) =>
    (await person.client.call(routes.traces.source, { params: { id }, query: { file: of } })).files;
  const read = async (id: string, of = FILE) =>
    (await readFiles(id, of)).flatMap(({ functions }) => functions);
  return { person, project, send, read, readFiles };
}

test('a trace shows source code that arrived with an earlier trace of the same version', async () => {
  const { send, read } = await aScene();
  const functions = [
    { line: 40, text: 'function b() {}' },
    { line: 7, text: TEXT },
  ];
  await send([{ file: FILE, version: VERSION, functions }], '/first');
  const id = await send([{ file: FILE, version: VERSION }], '/second');
  expect(await read(id)).toEqual([functions[1], functions[0]]);
});

test.runIf(isThorough())(
  'a trace never shows source code of another version of its file, not even before the source code of its own version arrives',
  async () => {
    const { send, read } = await aScene();
    await send([{ file: FILE, version: VERSION, functions: [{ line: 7, text: TEXT }] }], '/first');
    const id = await send([{ file: FILE, version: 'another-vers' }], '/second');
    expect(await read(id)).toEqual([]);
    await send([{ file: FILE, version: 'another-vers', functions: [{ line: 9, text: 'later' }] }], '/third');
    expect(await read(id)).toEqual([{ line: 9, text: 'later' }]);
  },
);

test.runIf(isThorough())('the response contains all files, each in its own version', async () => {
  const { send, readFiles } = await aScene();
  const of = (file: string, version: string, text: string) => ({
    file,
    version,
    functions: [{ line: 1, text }],
  });
  await send([of('src/b.ts', 'version-1', 'b1'), of('src/a.ts', 'version-2', 'a2')], '/first');
  await send([of('src/a.ts', 'version-1', 'a1')], '/second');
  const id = await send(
    [
      { file: 'src/a.ts', version: 'version-1' },
      { file: 'src/b.ts', version: 'version-1' },
      { file: 'src/c.ts', version: 'version-2' },
    ],
    '/third',
  );
  expect(await readFiles(id)).toEqual([
    { file: 'src/a.ts', functions: [{ line: 1, text: 'a1' }] },
    { file: 'src/b.ts', functions: [{ line: 1, text: 'b1' }] },
  ]);
});

test('source code that is sent again is shown once', async () => {
  const { send, read } = await aScene();
  const sources = [{ file: FILE, version: VERSION, functions: [{ line: 7, text: TEXT }] }];
  await send(sources, '/first');
  const id = await send(sources, '/second');
  expect(await read(id)).toEqual([{ line: 7, text: TEXT }]);
});

test('the response contains no functions for files without sent source code, even if a file is named like a built-in object property', async () => {
  const { send, read } = await aScene();
  const id = await send([{ file: '__proto__', version: VERSION }], '/first');
  for (const name of ['src/other.ts', 'constructor', '__proto__', 'toString'])
    expect(await read(id, name)).toEqual([]);
});

test('secrets in source code are redacted', async () => {
  const { send, read } = await aScene();
  const text = "const password = 'plum-tree-9';\nconst rows = 'a\\tb';\treturn rows;\n";
  const id = await send([{ file: FILE, version: VERSION, functions: [{ line: 1, text }] }], '/first');
  expect(await read(id)).toEqual([
    { line: 1, text: "const password = '‹redacted›';\nconst rows = 'a\\tb';\treturn rows;\n" },
  ]);
});

test('source code of one project is not shown for the same file in another project', async () => {
  const one = await aScene();
  const other = await aScene();
  await one.send([{ file: FILE, version: VERSION, functions: [{ line: 7, text: TEXT }] }], '/first');
  const id = await other.send([{ file: FILE, version: VERSION }], '/first');
  expect(await other.read(id)).toEqual([]);
  await expect(one.read(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a trace with invalid sources is rejected with the field and the fix, and the rest of the batch is stored', async () => {
  const { project } = await aScene();
  const bad = [
    [{ file: '', version: VERSION }],
    [{ file: FILE, version: 'short' }],
    [{ file: FILE, version: VERSION, functions: [{ line: 0, text: 'x' }] }],
    [{ file: FILE, version: VERSION, functions: [{ line: 1, text: 'x'.repeat(65_537) }] }],
    Array.from({ length: 1001 }, (_, at) => ({ file: `f${at}`, version: VERSION })),
  ];
  const traces = [...bad.map((sources) => aTrace({ sources })), aTrace()];
  const answer = await sendTraces(file.server, project.apiKey, traces, service).catch(String);
  expect(answer).toContain('"accepted":1');
  for (const fault of [
    'traces[0].sources[0].file: must not be empty',
    'traces[1].sources[0].version: must be 8 to 64 characters of base64url',
    'traces[2].sources[0].functions[0].line: must be at least 1',
    'traces[3].sources[0].functions[0].text: must be at most 65536 characters long',
    'traces[4].sources: must have at most 1000 files',
  ]) {
    expect(answer).toContain(fault);
  }
});

test.runIf(isThorough())(
  'source code beyond the size limit is omitted, and the traces are stored',
  async () => {
    const { send, read } = await aScene();
    const text = 'x'.repeat(65_000);
    const functions = Array.from({ length: 40 }, (_, at) => ({ line: at + 1, text }));
    const id = await send([{ file: FILE, version: VERSION, functions }], '/first');
    expect(await read(id)).toHaveLength(Math.floor(2_000_000 / 65_000));
  },
);

test('deleting all traces of a project deletes its source code', async () => {
  const { person, project, send, read } = await aScene();
  await send([{ file: FILE, version: VERSION, functions: [{ line: 7, text: TEXT }] }], '/first');
  const { receipt } = await person.client.call(routes.traces.removeOfProject, { params: { id: project.id } });
  expect(receipt.before.sources).toBe(1);
  const id = await send([{ file: FILE, version: VERSION }], '/second');
  expect(await read(id)).toEqual([]);
});

test('public viewers, signed in or not, see no source code', async () => {
  const { person, project, send } = await aScene();
  const id = await send([{ file: FILE, version: VERSION, functions: [{ line: 7, text: TEXT }] }], '/first');
  await person.client.call(routes.projects.update, { params: { id: project.id }, body: { public: true } });
  const stranger = await signUp(file.server);
  await expect(
    stranger.client.call(routes.traces.source, { params: { id }, query: { file: FILE } }),
  ).rejects.toMatchObject({ code: 'not_found' });
  const shown = await fetch(`${file.server.url}/api/traces/${id}`);
  expect(await shown.text()).not.toContain('rates.get');
  expect((await fetch(`${file.server.url}/api/traces/${id}/source`)).status).toBe(401);
});
