import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, test, vi } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { MAX_SEARCHED_SPANS } from './correct-requests.ts';
import { createSettling, type Settling } from './settle.ts';
import { findRecent } from './settling-store.ts';
import type { TraceKey } from './store.ts';

const stores = storesOfFile();
const buildTraceId = (trace: number) => trace.toString(16).padStart(32, '0');

/** Inserts traces with `spans` spans each. ClickHouse generates the spans, each the parent of the next. */
async function put(projectId: ProjectId, traces: number, spans: number): Promise<TraceKey[]> {
  await stores.traces.command(
    `INSERT INTO spans (project_id, trace_id, span_id, parent_span_id, entry, service, name, type, start_nanos, duration_nanos, status_code,
       has_error, metadata, resource, stored_at)
     SELECT {project:UUID}, lower(leftPad(hex(intDiv(number, ${spans})), 32, '0')), lower(leftPad(hex(number % ${spans} + 1), 16, '0')),
       lower(leftPad(hex(number % ${spans}), 16, '0')), false, 'shop', 'work', 'custom', toUnixTimestamp64Nano(now64(9)) + number, 1000, 200,
       false, '{}', '{}', now64(6) FROM numbers(${traces * spans})`,
    { project: projectId },
  );
  return Array.from({ length: traces }, (_trace, index) => ({ projectId, traceId: buildTraceId(index) }));
}

/** The way in which a test runs `settling`: a fixed number of times, or until nothing is left to do. */
type Finish = (settling: Pick<Settling, 'run'>) => Promise<void>;

/** Wraps the store to count statements, and rows of spans that this process reads. */
function counting(): { readonly store: TraceStore; readonly work: { statements: number; rows: number } } {
  const work = { statements: 0, rows: 0 };
  const { traces } = stores;
  const counted: TraceStore['rows'] = async (row, sql, params) => {
    const rows = await traces.rows(row, sql, params);
    work.statements += 1;
    if (sql.includes('AS link')) work.rows += rows.length;
    return rows;
  };
  const command: TraceStore['command'] = async (sql, params) => {
    work.statements += 1;
    await traces.command(sql, params);
  };
  const store = { ...traces, rowsBeside: counted, rowsForWriter: counted, command, commandBeside: command };
  return { store, work };
}

const runThrice: Finish = async (settling) => {
  for (let run = 0; run < 3; run += 1) await settling.run();
};

/**
 * Runs until a restarted server would find no work left in the project. Each trace is assembled twice; the second time adds its search
 * data. The pause between the two times grows with the trace's number of spans.
 */
const runUntilAssembled =
  (projectId: ProjectId): Finish =>
  (settling) =>
    vi.waitFor(
      async () => {
        await settling.run();
        const recent = await findRecent(stores.traces, {
          minutes: 10,
          limit: 1000,
          searchedSpans: MAX_SEARCHED_SPANS,
          manySpans: 0,
        });
        const states = recent.filter(({ key }) => key.projectId === projectId).map(({ state }) => state);
        expect(new Set(states)).toEqual(new Set(['settled']));
      },
      { timeout: 20_000 },
    );

async function settle(
  store: TraceStore,
  keys: readonly TraceKey[],
  finish: Finish = runThrice,
): Promise<void> {
  const recovered = Promise.withResolvers<void>();
  const rowsBeside: TraceStore['rowsBeside'] = (row, sql, params) =>
    store.rowsBeside(row, sql, params).finally(recovered.resolve);
  const settling = createSettling(
    {
      store: { ...store, rowsBeside },
      alone: (_names, task) => task(store),
      log: createLog('error'),
      reservations: {
        reserve: async (_project, traces) => ({ id: createId(), traces }),
        commit() {},
        release() {},
      },
      changing: async () => () => {},
    },
    { quietMs: 0, promoteAfterMs: 0 },
  );
  // The first statement finds the traces that the server knew before its restart.
  await recovered.promise;
  settling.touched(keys);
  await finish(settling);
  await settling.close();
}

const requests = (projectId: ProjectId) =>
  stores.traces.lines(
    "SELECT concat(toString(count()), ' ', toString(sum(step_count))) FROM traces WHERE project_id = {project:UUID}",
    { project: projectId },
  );

async function workFor(traces: number, spans: number) {
  const projectId = createId<ProjectId>();
  const keys = await put(projectId, traces, spans);
  const { store, work } = counting();
  await settle(store, keys);
  expect(await requests(projectId)).toEqual([`${traces} ${traces * (spans - 1)}`]);
  return work;
}

describe('building requests from stored spans takes', () => {
  test('as many statements for 40 traces as for 20, and reads of rows in proportion to the number of spans', async () => {
    const [once, twice] = [await workFor(20, 10), await workFor(40, 10)];
    expect(twice.statements).toBeLessThanOrEqual(once.statements + 2);
    // Each span is read once to find its request, and a second time for the request's search data.
    expect(once.rows).toBeLessThan(2.2 * 20 * 10);
    expect(twice.rows).toBeLessThanOrEqual(2 * once.rows);
  });

  test.runIf(isThorough())('a few statements for hundreds of traces without a request', async () => {
    const [once, twice] = [await workFor(500, 2), await workFor(1000, 2)];
    expect(once.statements).toBeLessThan(40);
    expect(twice.statements).toBeLessThanOrEqual(2 * once.statements);
    expect(twice.rows).toBeLessThanOrEqual(2 * once.rows);
  });

  test.runIf(isThorough())(
    'statements and rows in proportion to the number of spans in a trace',
    async () => {
      const [once, twice] = [await workFor(1, 30_000), await workFor(1, 60_000)];
      // Each span is read once to find its request, and a second time for the request's search data.
      expect(once.rows).toBeLessThan(2.1 * 30_000);
      expect(twice.rows).toBeLessThanOrEqual(2 * once.rows + 100);
      expect(twice.statements).toBeLessThanOrEqual(2 * once.statements);
    },
  );
});

test('a restarted server does not read traces that were assembled before the restart', async () => {
  const projectId = createId<ProjectId>();
  const keys = await put(projectId, isThorough() ? 20 : 2, 1500);
  await settle(stores.traces, keys, runUntilAssembled(projectId));
  const { store, work } = counting();
  await settle(store, []);
  expect(work.rows).toBe(0);
}, 30_000);

/** Wraps the store to record when statements about each trace began, and when each statement ended. */
function timing() {
  const beganMs = new Map<string, number>();
  const endedMs: number[] = [];
  const timed = async <T>(sql: string, run: () => Promise<T>): Promise<T> => {
    const [traceId] = /(?<=AS link.*')[0-9a-f]{32}(?=')/s.exec(sql) ?? [];
    if (traceId !== undefined && !beganMs.has(traceId)) beganMs.set(traceId, performance.now());
    return run().finally(() => endedMs.push(performance.now()));
  };
  const { traces } = stores;
  const rows: TraceStore['rows'] = (row, sql, params) => timed(sql, () => traces.rows(row, sql, params));
  const command: TraceStore['command'] = (sql, params) => timed(sql, () => traces.command(sql, params));
  return {
    store: { ...traces, rowsBeside: rows, rowsForWriter: rows, command, commandBeside: command },
    beganMs,
    endedMs,
  };
}

test('after work on a large trace, the server pauses for as long as the work took, at most half a second', async () => {
  const keys = await put(createId<ProjectId>(), 2, 10_001);
  const { store, beganMs, endedMs } = timing();
  await settle(store, keys);
  const [firstMs = 0, secondMs = 0] = [...beganMs.values()];
  const endMs = Math.max(...endedMs.filter((ms) => ms < secondMs));
  expect(beganMs.size).toBe(2);
  expect(secondMs - endMs).toBeGreaterThan(0.9 * Math.min(endMs - firstMs, 500));
});
