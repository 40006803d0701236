import { readdir, readFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { type DeletionReceipt, routes } from '@throughline/contract';
import {
  aTrace,
  createFakeClock,
  join,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  sendTraces,
  signUp,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectDeletions } from '../../platform/control-store/index.ts';
import type { ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { openTraceStore, type TraceStore } from '../../platform/trace-store/index.ts';
import { createAudit } from '../audit/index.ts';
import { createRollups, type Rollups, toHourFromMs } from '../rollups/index.ts';
import { createDeletionReceipts, type DeletionReceipts } from './index.ts';

const clock = createFakeClock();
const log = createLog('error');
let server: TestServer;
/** A second connection to the server's trace store, and two services that use this connection. The test runs their periodic jobs itself. */
let store: TraceStore;
let rollups: Rollups;
let receipts: DeletionReceipts;
let owner: Person;
let developer: Person;
let organizationId: string;
beforeAll(async () => {
  server = await startServer({ clock });
  store = await openTraceStore(server.config);
  // Stores the columns uncompressed from now on, so that the test can find strings in the files.
  for (const [table, columns] of Object.entries(PLAIN)) {
    for (const column of columns)
      await store.command(`ALTER TABLE ${table} MODIFY COLUMN ${column} CODEC(NONE)`);
  }
  rollups = createRollups({ store, log }, { quietMs: 0 });
  const { control } = server.app;
  const audit = createAudit({ control, clock, log });
  await audit.close();
  receipts = createDeletionReceipts({ control, store, rollups, audit, clock, log });
  const made = await makeOrganization(server);
  owner = made.owner;
  organizationId = made.organization.id;
  developer = await join(server, owner, made.organization, 'developer');
});
afterAll(async () => {
  await receipts.close();
  await rollups.close();
  await store.close();
  await server.stop();
});

const PLAIN = {
  traces: ['path', 'user_id', 'user', 'request_body', 'endpoint'],
  steps: ['name', 'metadata', 'captured'],
  spans: ['name', 'metadata', 'captured'],
  request_rollups: ['endpoint'],
  user_rollups: ['user_id'],
  step_rollups: ['name'],
};

/** Finds the trace store's files that contain the string. */
async function filesWith(text: string): Promise<string[]> {
  const folders = await store.lines(
    "SELECT arrayJoin(data_paths) FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
  );
  const entries = folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }));
  const found = await Promise.all(
    (await Promise.all(entries))
      .flat()
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = joinPath(entry.parentPath, entry.name);
        // ClickHouse can remove the file's part in the meantime.
        const bytes = await readFile(path).catch(() => Buffer.alloc(0));
        return bytes.includes(text) ? [path] : [];
      }),
  );
  return found.flat();
}

/**
 * Stores two traces of a user, two traces that only mention the user, and one trace of another user. In each pair, one trace consists of
 * spans. All stored fields of the user's data contain `name`. Then builds the rollups of all these traces.
 */
async function put(project: TestProject, name: string): Promise<void> {
  const startTime = clock.now().toISOString();
  const flow = [
    { stepId: '1', stepName: `step ${name}`, startTime, duration: 1, inputs: { note: `value ${name}` } },
  ];
  const of = (id: string, path: string) =>
    aTrace({ request: { method: 'GET', path }, user: { id }, flow, timing: { startTime, duration: 1 } });
  await sendTraces(server, project.apiKey, [of(name, `/of/${name}`)]);
  await sendTraces(server, project.apiKey, [
    aTrace({ request: { method: 'GET', path: '/stays' }, user: { id: 'stays' } }),
    aTrace({
      request: { method: 'GET', path: '/names' },
      flow: [{ stepId: '1', stepName: 'x', startTime, duration: 1, metadata: { 'user.id': name } }],
      timing: { startTime, duration: 1 },
    }),
  ]);
  const attributes = otlpAttributes({
    'enduser.id': name,
    'http.request.method': 'GET',
    'url.path': '/spans',
  });
  await sendSpans(
    server,
    project.apiKey,
    otlpRequest('shop', [
      otlpSpan(1, undefined, { attributes }),
      otlpSpan(2, 1, { name: `span ${name}` }),
      otlpSpan(3, undefined, { name: '/spans name', traceId: 'b'.repeat(32) }),
      otlpSpan(4, 3, { traceId: 'b'.repeat(32), attributes: otlpAttributes({ 'enduser.id': name }) }),
    ]),
  );
  await rollups.rebuildHours(project.id as ProjectId, [
    toHourFromMs(clock.now().getTime()),
    toHourFromMs(Date.now()),
  ]);
}

/** Runs the jobs that servers run in the minutes after a deletion. */
async function minutesLater() {
  clock.advance(10 * 60_000);
  await receipts.sweep();
}

async function readReceipt(id: string): Promise<DeletionReceipt> {
  return (await owner.client.call(routes.deletions.read, { params: { id } })).receipt;
}

const paths = async (project: TestProject) => {
  const { traces } = await owner.client.call(routes.traces.list, { query: { projectId: project.id } });
  return traces.map(({ _id, request }) => ({ _id, path: request.path }));
};
const nothing = {
  traces: 0,
  steps: 0,
  spans: 0,
  requestFigures: 0,
  userFigures: 0,
  stepFigures: 0,
  callerFigures: 0,
  figureHours: 0,
  sources: 0,
  batches: 0,
};

async function logged(action: string) {
  const { entries } = await owner.client.call(routes.audit.list, { params: { id: organizationId } });
  return entries.filter((entry) => entry.action === action);
}

test.for(
  pickRows(
    [
      {
        what: 'trace',
        noted: 'project.trace_deleted',
        before: { traces: 1, steps: 1, spans: 0 },
        stays: ['/names', '/spans', '/spans name', '/stays'],
        remove: async (project: TestProject, name: string) => {
          const trace = (await paths(project)).find(({ path }) => path === `/of/${name}`);
          return owner.client.call(routes.traces.remove, { params: { id: trace?._id ?? '' } });
        },
      },
      {
        what: 'traces',
        noted: 'project.traces_deleted',
        before: { traces: 5, steps: 2, spans: 4 },
        stays: [],
        remove: (project: TestProject) =>
          owner.client.call(routes.traces.removeOfProject, { params: { id: project.id } }),
      },
      {
        what: 'user',
        noted: 'project.user_erased',
        before: { traces: 4, steps: 2, spans: 4 },
        stays: ['/stays'],
        remove: (project: TestProject, name: string) =>
          owner.client.call(routes.traces.eraseUser, { params: { id: project.id, userId: name } }),
      },
      {
        what: 'project',
        noted: 'project.deleted',
        before: { traces: 5, steps: 2, spans: 4 },
        stays: undefined,
        remove: (project: TestProject) =>
          owner.client.call(routes.projects.remove, { params: { id: project.id } }),
      },
    ],
    { usually: 2 },
  ),
)(
  'a deletion ($what) has a receipt with counts, removes the data from the disk, and is logged',
  async ({ what, noted, before, stays, remove }) => {
    const name = `marker-of-${what}-4711`;
    const project = await makeProject(owner, `shop of ${what}`);
    await put(project, name);
    for (const text of [`/of/${name}`, `step ${name}`, `value ${name}`]) {
      expect(await filesWith(text), text).not.toEqual([]);
    }

    const { receipt } = await remove(project, name);
    expect(receipt).toMatchObject({
      what,
      projectId: project.id,
      project: `shop of ${what}`,
      before,
      goneAt: null,
    });
    expect(receipt.before.requestFigures).toBeGreaterThan(0);
    expect(receipt.after).toMatchObject({ traces: 0, steps: 0, spans: 0, batches: 0 });
    expect(JSON.stringify(receipt)).not.toContain(name);

    // Another test covers the sweep that deletes late rows of deleted projects. Here, removing the project from that sweep's table has the
    // same effect as the sweep.
    if (what === 'project') await server.app.control.db.delete(projectDeletions);
    await minutesLater();
    const later = await readReceipt(receipt.id);
    expect(later).toMatchObject({ after: nothing, goneAt: clock.now().toISOString() });
    // If only one trace was deleted, the user's other traces must stay.
    const texts = what === 'trace' ? [`/of/${name}`, `step ${name}`, `value ${name}`] : [name];
    for (const text of texts) expect(await filesWith(text), text).toEqual([]);
    if (stays !== undefined) expect((await paths(project)).map(({ path }) => path).sort()).toEqual(stays);
    const [proof] = await logged('project.data_gone');
    expect(proof?.actor).toBeNull();
    expect(proof?.target).toContain(`rows none is left; receipt ${receipt.id}`);
    expect(await logged(noted)).toHaveLength(1);
  },
);

test("a deletion's receipt can be read by users who can delete traces; other users get 404", async () => {
  const project = await makeProject(owner, 'theirs');
  const { receipt } = await owner.client.call(routes.traces.removeOfProject, { params: { id: project.id } });
  const read = (person: Person, id = receipt.id) =>
    refusal(person.client.call(routes.deletions.read, { params: { id } }));
  const stranger = await signUp(server);
  const { owner: other } = await makeOrganization(server);
  for (const person of [stranger, other, developer]) {
    expect(await read(person)).toMatchObject({ status: 404, code: 'not_found' });
  }
  expect(await read(owner, 'x')).toMatchObject({ status: 404 });
  const own = await makeProject(stranger);
  const deleted = await stranger.client.call(routes.projects.remove, { params: { id: own.id } });
  const params = { id: deleted.receipt.id };
  expect((await stranger.client.call(routes.deletions.read, { params })).receipt.what).toBe('project');
  expect(await read(owner, deleted.receipt.id)).toMatchObject({ status: 404 });
});
