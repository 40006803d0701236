import { TRACE_LIMITS } from '@throughline/contract';
import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import type { Stores } from '../../platform/stores.ts';
import {
  hashOfPair,
  STEP_CODE,
  type TraceStore,
  timeOfTraceId,
  writeSpanRow,
  writeStep,
} from '../../platform/trace-store/index.ts';
import { readSteps } from './read.ts';
import { updateRequests } from './requests-store.ts';
import type { RequestReservations } from './reserved-traces.ts';
import { createSettling, type Settling } from './settle.ts';
import { insertSpans, type TraceKey } from './store.ts';

const stores = storesOfFile();
let store: TraceStore;
let settling: Settling | undefined;
beforeAll(() => {
  store = stores.traces;
});
afterEach(() => settling?.close());

const START_NANOS = BigInt(Date.now()) * 1_000_000n;
const newKey = (): TraceKey => ({ projectId: createId<ProjectId>(), traceId: 'ab'.repeat(16) });
/** Replaces the rollups, which this test does not run. */
const changing = async () => () => {};
/** Runs tasks without locks, because no other server runs. */
const aloneOn =
  (traces: TraceStore): Stores['alone'] =>
  (_names, task) =>
    task(traces);
/** Builds reservations from `reserve`. By default, the month's quota suffices for all requests. */
const reservationsBy = (
  reserve: RequestReservations['reserve'] = async (_project, traces) => ({ id: createId(), traces }),
): RequestReservations => ({
  reserve,
  commit() {},
  release() {},
});
const buildSpanId = (id: number) => id.toString(16).padStart(16, '0');

/** Stores spans, given as pairs of span id and parent id, as if at the time `stored`. */
async function put(
  key: TraceKey,
  spans: readonly (readonly [id: number, parent: number])[],
  stored = new Date(),
) {
  const rows = spans.map(([id, parent]) =>
    writeSpanRow(
      key.projectId,
      {
        traceId: key.traceId,
        spanId: buildSpanId(id),
        parentSpanId: buildSpanId(parent),
        entry: false,
        service: 'shop',
        startNanos: START_NANOS + BigInt(id),
        durationNanos: 1000n,
        statusCode: 500,
        hasError: true,
        resource: '{}',
      },
      writeStep(
        STEP_CODE.write({
          name: `span ${id}`,
          type: 'custom',
          functionName: '',
          filePath: '',
          lineNumber: undefined,
        }),
        { error: '{"message":"broken"}', metadata: '{"a":1}', captured: '' },
      ),
      (stored.getTime() / 1000).toFixed(6),
    ),
  );
  await insertSpans(store, [Buffer.from(rows.join(''))]);
}

test('a full trace accepts spans again after its spans were deleted', async () => {
  settling = createSettling(
    { store, alone: aloneOn(store), log: createLog('error'), reservations: reservationsBy(), changing },
    { quietMs: 0, promoteAfterMs: 0 },
  );
  const key = newKey();
  settling.added(key, TRACE_LIMITS.traceSpans.max);
  expect([...settling.fullTraces(key.projectId)]).toEqual([key.traceId]);
  await settling.run();
  expect(settling.fullTraces(key.projectId).size).toBe(1);
  settling.rejected([key]);
  await settling.run();
  expect(settling.fullTraces(key.projectId).size).toBe(0);
  expect(settling.room(key)).toBe(TRACE_LIMITS.traceSpans.max);
});

test('full traces of one project are counted again at a limited rate, and do not delay full traces of another project', async () => {
  settling = createSettling(
    { store, alone: aloneOn(store), log: createLog('error'), reservations: reservationsBy(), changing },
    { quietMs: 0, promoteAfterMs: 0 },
  );
  const many = Array.from({ length: 30 }, (_trace, index) => index.toString(16).padStart(32, '0'));
  const { projectId } = newKey();
  const keys = [...many.map((traceId) => ({ projectId, traceId })), newKey()];
  for (const key of keys) settling.added(key, TRACE_LIMITS.traceSpans.max);
  settling.rejected(keys);
  for (let run = 0; run < 6; run += 1) await settling.run();
  const left = keys.filter((key) => settling?.room(key) === 0);
  expect(left.length).toBeLessThanOrEqual(28);
  expect(left.length).toBeGreaterThanOrEqual(25);
  expect(new Set(left.map((key) => key.projectId))).toEqual(new Set([projectId]));
});

const requests = ({ projectId }: TraceKey) =>
  store.lines(
    `SELECT concat(span_id, ' ', path, ' ', toString(step_count), ' ', error_message, ' ', attributes) FROM traces
     WHERE project_id = {project:UUID}`,
    { project: projectId },
  );
const searchedBy = ({ projectId }: TraceKey) =>
  store.lines(
    `SELECT concat(toString(attribute_pairs), ' ', toString(attributes_whole)) FROM traces WHERE project_id = {project:UUID}`,
    { project: projectId },
  );
/** Returns the store with `rowsBeside` replaced, so that it rejects for matching statements. */
const breakStore = (
  fails: (statement: { readonly sql: string; readonly params: unknown }) => boolean,
): TraceStore => ({
  ...store,
  rowsBeside: async (schema, sql, params, ...more) => {
    if (fails({ sql, params })) throw new Error('the store is broken');
    return store.rowsBeside(schema, sql, params, ...more);
  },
});

/** Creates a `Settling` without waiting times: each run assembles all traces that were touched, and makes their requests. */
const settleAtOnce = (traces: TraceStore): Settling =>
  createSettling(
    {
      store: traces,
      alone: aloneOn(traces),
      log: createLog('silent'),
      reservations: reservationsBy(),
      changing,
    },
    { quietMs: 0, promoteAfterMs: 0 },
  );

test('a full trace is also counted if other traces cannot be assembled', async () => {
  const [full, open] = [newKey(), newKey()];
  await put(open, [[2, 1]]);
  let isBroken = true;
  const broken = breakStore(
    ({ sql, params }) => isBroken && `${sql} ${JSON.stringify(params)}`.includes(open.projectId),
  );
  settling = settleAtOnce(broken);
  settling.added(full, TRACE_LIMITS.traceSpans.max);
  settling.rejected([full]);
  settling.touched([open]);
  await settling.run();
  expect(await requests(open)).toEqual([]);
  expect(settling.room(full)).toBe(TRACE_LIMITS.traceSpans.max);
  isBroken = false;
  await settling.run();
  expect(await requests(open)).toHaveLength(1);
});

test('a full trace whose spans cannot be counted does not delay the requests of other traces or the counts of other full traces', async () => {
  const [failing, full, open] = [newKey(), newKey(), newKey()];
  await put(open, [[2, 1]]);
  const broken = breakStore(({ sql }) => sql.includes(failing.projectId));
  settling = settleAtOnce(broken);
  for (const key of [failing, full]) settling.added(key, TRACE_LIMITS.traceSpans.max);
  settling.rejected([failing, full]);
  settling.touched([open]);
  await settling.run();
  expect(await requests(open)).toHaveLength(1);
  expect(settling.room(full)).toBe(TRACE_LIMITS.traceSpans.max);
  expect(settling.room(failing)).toBe(0);
});

/** Makes traces due immediately. */
const due = { quietMs: 0 };

describe('a trace whose request never came', () => {
  const rows = [`${buildSpanId(2)} span 2 2 broken {"a":1}`];
  const settle = async (
    key: TraceKey,
    given: {
      readonly promoteAfterMs?: number;
      readonly reservations?: RequestReservations;
      readonly store?: TraceStore;
    } = {},
  ) => {
    const traces = given.store ?? store;
    settling = createSettling(
      {
        store: traces,
        alone: aloneOn(traces),
        log: createLog('silent'),
        reservations: given.reservations ?? reservationsBy(),
        changing,
      },
      { ...due, promoteAfterMs: given.promoteAfterMs ?? 0 },
    );
    settling.touched([key]);
    await settling.run();
    await settling.close();
  };

  test('gets one request, built from its topmost span', async () => {
    const key = newKey();
    await put(key, [
      [4, 2],
      [2, 1],
      [3, 2],
    ]);
    await settle(key, { promoteAfterMs: 60_000 });
    expect(await requests(key)).toEqual([]);
    await settle(key);
    expect(await requests(key)).toEqual(rows);
    await settle(key);
    expect(await requests(key)).toEqual(rows);
    expect(await searchedBy(key)).toEqual([`[${hashOfPair('a', '1')}] true`]);
    const steps = await readSteps(store, { ...key, spanId: buildSpanId(2) });
    expect(steps.map(({ spanId }) => spanId)).toEqual([buildSpanId(3), buildSpanId(4)]);
  });

  test("gets no request while the month's quota is used up", async () => {
    const key = newKey();
    await put(key, [[2, 1]]);
    await settle(key, { reservations: reservationsBy(async () => undefined) });
    expect(await requests(key)).toEqual([]);
  });

  test('gets one request, counted once, even if two servers were notified of it', async () => {
    const key = newKey();
    await put(key, [
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
    let counted = 0;
    let turn: Promise<unknown> = Promise.resolve();
    const inTurn: Stores['alone'] = (_names, task) => {
      const mine = turn.then(() => task(store));
      turn = mine.catch(() => {});
      return mine;
    };
    const reservations = reservationsBy(async (projectId, traces) => {
      if (projectId === key.projectId) counted += traces;
      return { id: createId(), traces };
    });
    const servers = [1, 2].map(() =>
      createSettling(
        { store, alone: inTurn, log: createLog('error'), reservations, changing },
        { ...due, promoteAfterMs: 0 },
      ),
    );
    for (const server of servers) server.touched([key]);
    await Promise.all(servers.map((server) => server.run()));
    for (const server of servers) await server.close();
    expect(await requests(key)).toEqual(rows);
    expect(counted).toBe(1);
  });

  test.runIf(isThorough())(
    'is counted once, even if the request made from its spans is stored only at the third attempt',
    async () => {
      const key = newKey();
      await put(key, [[2, 1]]);
      const calls: string[] = [];
      const reservation = createId();
      const reservations: RequestReservations = {
        async reserve(projectId, traces) {
          if (projectId !== key.projectId) return undefined;
          calls.push('taken');
          return { id: reservation, traces };
        },
        commit: (id) => calls.push(`stored ${id}`),
        release: (id) => calls.push(`failed ${id}`),
      };
      let failures = 2;
      const failing: TraceStore = {
        ...store,
        async command(sql, params) {
          if (sql.startsWith('INSERT INTO traces') && failures > 0) {
            failures -= 1;
            throw new Error('the disk is on fire');
          }
          await store.command(sql, params);
        },
      };
      const own = createSettling(
        { store: failing, alone: aloneOn(failing), log: createLog('silent'), reservations, changing },
        { ...due, promoteAfterMs: 0 },
      );
      settling = own;
      own.touched([key]);
      for (const _try of [1, 2, 3]) await own.run();
      expect(failures).toBe(0);
      expect(calls).toEqual(['taken', `stored ${reservation}`]);
      expect(
        await store.lines('SELECT toString(claim) FROM traces WHERE project_id = {project:UUID}', {
          project: key.projectId,
        }),
      ).toEqual([reservation]);
    },
  );

  test('releases the reserved quota if the request made from its spans could not be stored before the server stopped', async () => {
    const key = newKey();
    await put(key, [[2, 1]]);
    const failed: string[] = [];
    const reservation = createId();
    const broken: TraceStore = {
      ...store,
      async command(sql, params) {
        if (sql.startsWith('INSERT INTO')) throw new Error('the disk is on fire');
        await store.command(sql, params);
      },
    };
    const reserve = async (projectId: ProjectId, traces: number) =>
      projectId === key.projectId ? { id: reservation, traces } : undefined;
    const reservations = { ...reservationsBy(reserve), release: (id: string) => failed.push(id) };
    await settle(key, { store: broken, reservations });
    expect(failed).toEqual([reservation]);
  });

  test('gets a corrected step count when more spans arrive, even if the server crashes just after it stored these spans', async () => {
    const key = newKey();
    await put(key, [
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
    await settle(key);
    await put(key, [[5, 4]], new Date(Date.now() + 1000));
    expect(await requests(key)).toEqual(rows);
    // A new server did not receive these spans, so their traces are not in its queue. The server finds the traces in the store when it
    // starts.
    const again = createSettling(
      { store, alone: aloneOn(store), log: createLog('error'), reservations: reservationsBy(), changing },
      { ...due, promoteAfterMs: 0 },
    );
    settling = again;
    await expect
      .poll(async () => {
        await again.run();
        return requests(key);
      })
      .toEqual([`${buildSpanId(2)} span 2 3 broken {"a":1}`]);
  });
});

test.runIf(isThorough())(
  'many requests are corrected in one run, each with the data of its own trace',
  async () => {
    const projectId = createId<ProjectId>();
    const requests = Array.from({ length: 1500 }, (_, index) => ({
      projectId,
      id: createId<ProjectId>(),
      stepCount: index % 2 === 0 ? index : undefined,
      attributes: index % 3 === 0 ? undefined : { names: [String(index)], pairs: ['7', String(index)] },
      kinds: index % 5 === 0 ? `[[1,0,"custom","it's ${index}","",""]]` : undefined,
    }));
    const rows = requests.map(
      ({ id }) => `${projectId}\t${(Date.now() / 1000).toFixed(6)}\t${id}\t${timeOfTraceId(id)}\t{}\n`,
    );
    await store.insert(
      'traces',
      ['project_id', 'start_time', 'id', 'id_time_ms', 'attributes'],
      Buffer.from(rows.join('')),
    );
    await updateRequests(store, requests);
    const stored = await store.lines(
      `SELECT concat(toString(id), ' ', toString(step_count), toString(attribute_names), toString(attribute_pairs), toString(attributes_whole), step_kinds)
     FROM traces WHERE project_id = {project:UUID}`,
      { project: projectId },
    );
    const expected = requests.map(({ id, stepCount, attributes, kinds = '' }) => {
      const { names, pairs } = attributes ?? { names: [], pairs: [] };
      return `${id} ${stepCount ?? 0}[${names}][${[...new Set(pairs)]}]${attributes !== undefined}${kinds}`;
    });
    expect(stored.sort()).toEqual(expected.sort());
  },
);
