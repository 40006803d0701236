import { routes } from '@throughline/contract';
import {
  aTrace,
  join,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  sendTraces,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, otlpSpanId, sendSpans } from '@throughline/testkit/otlp';
import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { projects, users } from '../../../platform/control-store/index.ts';
import { createId, type ProjectId, type UserId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import { openTraceStore, type TraceStore, timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { createDeletionReceipts, type DeletionReceipts } from '../../deletions/index.ts';
import { createRollups, type Rollups, toHourFromMs } from '../../rollups/index.ts';
import { findTrace } from '../detail/single-trace-store.ts';
import { createRemoval } from './removal.ts';

const start = new Date().toISOString();
const steps = (secret: string) =>
  ['1', '2'].map((stepId) => ({
    stepId,
    stepName: 'x',
    startTime: start,
    duration: 1,
    inputs: { note: secret },
  }));

describe("a user's data", () => {
  let server: TestServer;
  let owner: Person;
  let admin: Person;
  let project: TestProject;
  let organizationId: string;
  beforeAll(async () => {
    server = await startServer();
    const made = await makeOrganization(server);
    owner = made.owner;
    organizationId = made.organization.id;
    admin = await join(server, owner, made.organization, 'admin');
    project = await makeProject(owner);
  });
  afterAll(() => server.stop());

  const params = (userId: string) => ({ id: project.id, userId });
  const list = async () => {
    const { traces } = await owner.client.call(routes.traces.list, { query: { projectId: project.id } });
    return traces.map((trace) => trace.request.path).sort();
  };

  test('is deleted completely, but only for that user and project, and the audit log names who deleted it', async () => {
    const other = await makeProject(owner, 'other');
    const of = (id: string, path: string) =>
      aTrace({ request: { method: 'GET', path }, user: { id }, flow: steps(id) });
    await sendTraces(server, project.apiKey, [
      of("o'brien/1", '/a'),
      of("o'brien/1", '/b'),
      of('o', '/stays'),
    ]);
    await sendTraces(server, project.apiKey, [aTrace({ request: { method: 'GET', path: '/nobody' } })]);
    await sendTraces(server, other.apiKey, [of("o'brien/1", '/elsewhere')]);
    const user = { 'enduser.id': "o'brien/1", 'http.request.method': 'GET', 'url.path': '/spans' };
    await sendSpans(
      server,
      project.apiKey,
      otlpRequest('shop', [otlpSpan(1, undefined, { attributes: otlpAttributes(user) }), otlpSpan(2, 1)]),
    );
    expect(await list()).toEqual(['/a', '/b', '/nobody', '/spans', '/stays']);

    const { erased, left } = await owner.client.call(routes.traces.eraseUser, {
      params: params("o'brien/1"),
    });
    expect(erased).toMatchObject({ traces: 3, steps: 4, spans: 2 });
    expect(left).toEqual({ traces: 0, steps: 0, spans: 0, figures: 0 });
    expect(await list()).toEqual(['/nobody', '/stays']);
    const elsewhere = await owner.client.call(routes.traces.list, { query: { projectId: other.id } });
    expect(elsewhere.total).toBe(1);
    const again = await owner.client.call(routes.traces.eraseUser, { params: params("o'brien/1") });
    expect(again.erased).toEqual({ traces: 0, steps: 0, spans: 0, figures: 0 });

    const log = await owner.client.call(routes.audit.list, { params: { id: organizationId } });
    const [entry] = log.entries.filter(({ action }) => action === 'project.user_erased');
    expect(entry?.actor?.email).toBe(owner.email);
    expect(entry?.target).toMatch(/^shop, user sha256:[0-9a-f]{16}$/);
    // The log is stored longer than the deleted data, so it must not contain the user's id.
    expect(JSON.stringify(log.entries)).not.toContain("o'brien");
  });

  test('can be deleted by owners; an admin is rejected, and the data stays', async () => {
    await sendTraces(server, project.apiKey, [aTrace({ user: { id: 'kept' }, flow: steps('kept') })]);
    expect(
      await refusal(admin.client.call(routes.traces.eraseUser, { params: params('kept') })),
    ).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    const { erased } = await owner.client.call(routes.traces.eraseUser, { params: params('kept') });
    expect(erased).toMatchObject({ traces: 1, steps: 2 });
  });
});

describe('deleted data', () => {
  const stores = storesOfFile();
  const log = createLog('error');
  let rollups: Rollups;
  let receipts: DeletionReceipts;
  beforeAll(() => {
    const { control, traces: store } = stores;
    rollups = createRollups({ store, log }, { quietMs: 0 });
    const audit = { record: () => Promise.reject(new Error('these projects have no log')) };
    receipts = createDeletionReceipts({ control, store, rollups, audit, clock: systemClock, log });
  });
  afterAll(async () => {
    await receipts.close();
    await rollups.close();
  });
  const removal = () => createRemoval({ store: stores.traces, rollups, receipts });

  const HOUR_MS = 3_600_000;
  const shown = (id: ProjectId) => ({ id, role: 'owner' as const, shownSince: 0n });
  const ever = { from: 0n, until: BigInt(Date.now() + HOUR_MS) * 1000n };

  /** Stores traces of two users over three hours, and rolls them up. */
  async function stored(): Promise<{ readonly project: ProjectId; readonly ids: readonly string[] }> {
    const project = createId<ProjectId>();
    const userId = createId<UserId>();
    const { db } = stores.control;
    const person = { id: userId, name: 'A', email: `${userId}@test.example`, passwordHash: 'x' };
    await db.insert(users).values({ ...person, createdAt: new Date() });
    await db
      .insert(projects)
      .values({ id: project, userId, name: 'p', description: '', createdAt: new Date() });
    const traces = ['ada', 'ada', 'grace', 'ada', 'grace', 'grace'].map((user, index) => {
      const startMs = Date.now() - (index % 3) * HOUR_MS;
      return { id: v7({ msecs: startMs }), startMs, user };
    });
    const done = await rollups.changing(
      traces.map(({ startMs }) => ({ projectId: project, hour: toHourFromMs(startMs) })),
    );
    await stores.traces.insert(
      'traces',
      ['project_id', 'start_time', 'id', 'id_time_ms', 'user_id', 'stored_at'],
      Buffer.from(
        traces
          .map(({ id, startMs, user }) => {
            const seconds = (startMs / 1000).toFixed(6);
            return `${project}\t${seconds}\t${id}\t${startMs}\t${user}\t${seconds}\n`;
          })
          .join(''),
      ),
    );
    done();
    await rollups.run();
    return { project, ids: traces.map(({ id }) => id) };
  }
  const counts = async (project: ProjectId) => {
    const [all] = await rollups.requests(shown(project), ever, []);
    const { busiest } = await rollups.users(shown(project), ever, 10);
    return {
      requests: all?.requests ?? 0,
      users: Object.fromEntries(busiest.map(({ user_id, requests }) => [user_id, requests])),
    };
  };
  const rolledUp = (table: string, project: ProjectId, and = '') =>
    stores.traces.lines(`SELECT toString(count()) FROM ${table} WHERE project_id = {project:UUID}${and}`, {
      project,
    });

  test.runIf(isThorough())('is no longer in the stats after a trace was deleted', async () => {
    const { project, ids } = await stored();
    const trace = await findTrace(stores.traces, [shown(project)], ids[3] ?? '', 'heads');
    if (trace === undefined) throw new Error('the trace is not there');
    await removal().trace(trace);
    expect(await counts(project)).toEqual({ requests: 5, users: { ada: 2, grace: 3 } });
    await rollups.run();
    expect(await counts(project)).toEqual({ requests: 5, users: { ada: 2, grace: 3 } });
  });

  test('is no longer in the stats, the traces or the rollups by user after a user was deleted', async () => {
    const { project } = await stored();
    const { erased, left } = await removal().user(project, 'ada');
    expect(erased).toEqual({ traces: 3, steps: 0, spans: 0, figures: 2 });
    expect(left).toEqual({ traces: 0, steps: 0, spans: 0, figures: 0 });
    expect(await counts(project)).toEqual({ requests: 3, users: { grace: 3 } });
    for (const table of ['traces', 'user_rollups']) {
      expect(await rolledUp(table, project, " AND user_id = 'ada'")).toEqual(['0']);
    }
  });

  test.runIf(isThorough())(
    "includes a user's spans, but not other users' spans with the same ids",
    async () => {
      const { project } = await stored();
      const now = ((Date.now() / 1000) | 0).toFixed(6);
      const traceIds = Array.from({ length: 30 }, (_trace, index) => index.toString(16).padStart(32, 'c'));
      const ofUser = (index: number) => (index % 3 === 0 ? 'grace' : 'eve');
      await stores.traces.insert(
        'traces',
        [
          'project_id',
          'start_time',
          'id',
          'id_time_ms',
          'user_id',
          'trace_id',
          'span_id',
          'has_spans',
          'stored_at',
        ],
        Buffer.from(
          traceIds
            .map((traceId, index) => {
              const id = v7();
              return `${project}\t${now}\t${id}\t${timeOfTraceId(id)}\t${ofUser(index)}\t${traceId}\t${otlpSpanId(1)}\ttrue\t${now}\n`;
            })
            .join(''),
        ),
      );
      const buildSpanRows = (traceId: string) =>
        [1, 2].map(
          (id) =>
            `${project}\t${traceId}\t${otlpSpanId(id)}\t${id === 1 ? '' : otlpSpanId(1)}\t${id === 1}\t${now}\n`,
        );
      await stores.traces.insert(
        'spans',
        ['project_id', 'trace_id', 'span_id', 'parent_span_id', 'entry', 'stored_at'],
        Buffer.from(traceIds.flatMap(buildSpanRows).join('')),
      );
      const sent: string[] = [];
      const store: TraceStore = {
        ...stores.traces,
        command(sql, params) {
          sent.push(sql);
          return stores.traces.command(sql, params);
        },
      };
      const { erased, left } = await createRemoval({ store, rollups, receipts }).user(project, 'eve');
      expect(erased).toMatchObject({ traces: 20, spans: 40 });
      expect(left).toMatchObject({ traces: 0, spans: 0 });
      expect(sent.filter((sql) => sql.startsWith('DELETE FROM spans'))).toHaveLength(1);
      expect(await rolledUp('spans', project)).toEqual(['20']);
    },
  );

  test.runIf(isThorough()).each(pickRows(['tracesOf', 'project'] as const, { usually: 1 }))(
    'is no longer in the stats after everything was deleted by %s',
    async (how) => {
      const { project } = await stored();
      const other = await stored();
      await removal()[how](project);
      expect(await counts(project)).toEqual({ requests: 0, users: {} });
      for (const table of ['traces', 'request_rollups', 'user_rollups', 'rollup_hours']) {
        expect(await rolledUp(table, project)).toEqual(['0']);
      }
      expect(await counts(other.project)).toEqual({ requests: 6, users: { ada: 3, grace: 3 } });
    },
  );
});

test('stats include new traces immediately, because hours are marked as dirty before their traces are stored', async () => {
  const server = await startServer();
  try {
    const { owner } = await makeOrganization(server);
    const project = await makeProject(owner);
    const late = new Date(Date.now() - 30 * 3_600_000);
    await sendTraces(server, project.apiKey, [
      aTrace(),
      aTrace({ timing: { startTime: late.toISOString(), duration: 1 } }),
    ]);
    await sendSpans(server, project.apiKey, otlpRequest('shop', [otlpSpan(1, undefined)]));
    // Opens the server's store again in this process, with rollups that receive no notifications from the server.
    const store = await openTraceStore(server.config);
    const rollups = createRollups({ store, log: createLog('error') });
    const id = project.id as ProjectId;
    const ever = { from: 0n, until: BigInt(Date.now() + 3_600_000) * 1000n };
    const figures = await rollups.requests({ id, shownSince: 0n }, ever, ['hour']);
    expect(figures.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
    expect(figures.map(({ hour }) => hour)).toContain(toHourFromMs(late.getTime()));
    await rollups.close();
    await store.close();
  } finally {
    await server.stop();
  }
});
