import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough } from '@throughline/testkit/thorough';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { createId, type ProjectId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { createRollups, findDependencyHours, toHourFromMs } from '../index.ts';

const HOUR_MS = 3_600_000;
const BASE_MS = Date.parse('2026-11-20T00:00:00Z');

const stores = storesOfFile();
let store: TraceStore;
beforeAll(() => {
  store = stores.traces;
});

const insert = (table: string, rows: readonly Readonly<Record<string, string | number>>[]) => {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => `${columns.map((column) => row[column]).join('\t')}\n`);
  return store.insert(table, columns, Buffer.from(lines.join('')));
};

/**
 * Stores one request per hour, each inserted twice. Each request has one step in the table `steps` and two OpenTelemetry spans of the same
 * service. Returns the steps.
 */
async function insertHours(project: ProjectId, hours: number, storedMs = BASE_MS) {
  const traces = Array.from({ length: hours }, (_each, at) => {
    const id = v7({ msecs: BASE_MS + at * HOUR_MS });
    return { id, ms: BASE_MS + at * HOUR_MS + 60_000, traceId: id.replaceAll('-', '') };
  });
  const stored = (storedMs / 1000).toFixed(6);
  const steps = traces.map(({ id }, at) => ({
    project_id: project,
    trace_time_ms: Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16),
    trace: id,
    ordinal: 0,
    step_id: 's',
    name: 'load',
    type: 'function',
    duration_micros: 1000 * (at + 1),
    error: at === 0 ? '{"message":"no"}' : '',
    repeat: at === 1 ? '{"count":6,"minMs":1,"sumMs":2,"maxMs":1}' : '',
    stored_at: stored,
  }));
  await insert('steps', steps);
  await insert(
    'spans',
    traces.flatMap(({ traceId }) =>
      ['a', 'b'].map((span) => ({
        project_id: project,
        trace_id: traceId,
        span_id: span.repeat(16),
        entry: 0,
        service: 'shop',
        name: 'SELECT carts',
        type: 'database',
        duration_nanos: 3_000_000,
        metadata: '{"db.system":"PostgreSQL"}',
        stored_at: stored,
      })),
    ),
  );
  const requests = traces.map(({ id, ms, traceId }) => ({
    project_id: project,
    id,
    id_time_ms: Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16),
    trace_id: traceId,
    start_time: (ms / 1000).toFixed(6),
    service: 'shop',
    release: 'v1',
    has_spans: 1,
    stored_at: stored,
  }));
  await insert('traces', requests);
  await insert('traces', requests);
  return steps;
}

describe('stats of steps', () => {
  test('are the same whether they are read from steps, from rollups, or from both', async () => {
    const project = createId<ProjectId>();
    const rollups = createRollups({ store, log: createLog('fatal') }, { quietMs: 0 });
    const hours = Array.from({ length: 4 }, (_each, at) => ({
      projectId: project,
      hour: toHourFromMs(BASE_MS) + at,
    }));
    const done = await rollups.changing(hours);
    await insertHours(project, 4);
    done();
    const shown = { id: project, shownSince: 0n };
    const micros = (ms: number) => BigInt(ms) * 1000n;
    const whole = { from: micros(BASE_MS), until: micros(BASE_MS + 4 * HOUR_MS) };
    const read = (range: typeof whole, release?: string) =>
      rollups.steps(shown, { ...range, release }, { patterns: 10, dependencies: 10 });
    const named = { service: '', dependency: '' };
    const figures = (
      load: { executions: number; duration_micros_sum: number },
      select: { executions: number; duration_micros_sum: number },
    ) => ({
      patterns: [
        { ...named, name: 'load', type: 'function', errors: 1, ...load },
        { ...named, name: 'SELECT carts', type: 'database', errors: 0, ...select },
      ],
      dependencies: [
        { service: 'shop', name: '', type: 'database', dependency: 'postgresql', errors: 0, ...select },
      ],
    });
    const expected = figures(
      { executions: 9, duration_micros_sum: 1000 + 2000 + 3000 + 4000 },
      { executions: 8, duration_micros_sum: 24_000 },
    );
    expect(await read(whole)).toEqual(expected);
    await rollups.run();
    expect(await read(whole)).toEqual(expected);
    // A range of an hour and a half: the second hour is incomplete, so its stats are computed from steps.
    expect(await read({ ...whole, until: micros(BASE_MS + 1.5 * HOUR_MS) })).toEqual(
      figures({ executions: 7, duration_micros_sum: 3000 }, { executions: 4, duration_micros_sum: 12_000 }),
    );
    expect(await read(whole, 'v2')).toEqual({ patterns: [], dependencies: [] });
    await rollups.close();
  });

  test('of whole hours are read from rollups even if charts divide these hours into shorter parts', async () => {
    const project = createId<ProjectId>();
    const read: unknown[] = [];
    const recording: TraceStore = {
      ...store,
      rows: (schema, sql, params, ...rest) => {
        if (sql.includes('_rollups')) read.push(params?.fromTraces);
        return store.rows(schema, sql, params, ...rest);
      },
    };
    const rollups = createRollups({ store: recording, log: createLog('fatal') }, { quietMs: 0, few: 0 });
    const from = BigInt(BASE_MS) * 1000n;
    const until = from + 4n * BigInt(HOUR_MS) * 1000n;
    const parts = Array.from({ length: 16 }, (_each, at) => from + BigInt(at) * 900_000_000n);
    const shown = { id: project, shownSince: 0n };
    const reading = { from, until, parts };
    await rollups.steps(shown, reading, { patterns: 10, dependencies: 10 });
    await findDependencyHours(recording, shown, reading, 10);
    await rollups.requestSets(shown, reading, [[], ['service']]);
    expect(read).toEqual([[], [], []]);
    // A chart by quarter hours needs the start of each request, so the four hours are now read from traces.
    await rollups.requestSets(shown, reading, [['part']]);
    expect(read.at(-1)).toHaveLength(4);
    await rollups.close();
  });

  test.runIf(isThorough())(
    'include traces stored on several days, and exclude steps of an interrupted insert',
    async () => {
      const project = createId<ProjectId>();
      const rollups = createRollups({ store, log: createLog('fatal') }, { quietMs: 0 });
      const dayBefore = BASE_MS - 24 * HOUR_MS;
      const later = await insertHours(project, 60);
      await insertHours(project, 60, dayBefore);
      await insert(
        'steps',
        later.map((step) => ({ ...step, stored_at: (dayBefore / 1000).toFixed(6) })),
      );
      await rollups.changingAll(project);
      const range = { from: BigInt(BASE_MS) * 1000n, until: BigInt(BASE_MS + 60 * HOUR_MS) * 1000n };
      const read = async () => {
        const { patterns } = await rollups.steps({ id: project, shownSince: 0n }, range, {
          patterns: 10,
          dependencies: 10,
        });
        return Object.fromEntries(patterns.map(({ name, executions }) => [name, executions]));
      };
      const expected = { load: 2 * (59 + 6), 'SELECT carts': 2 * 60 * 2 };
      expect(await read()).toEqual(expected);
      await rollups.run();
      expect(await read()).toEqual(expected);
      await rollups.close();
    },
  );

  test('have a `state` string, which changes only when an hour of the range has changed', async () => {
    const project = createId<ProjectId>();
    const rollups = createRollups({ store, log: createLog('fatal') }, { quietMs: 0 });
    const range = { from: BigInt(BASE_MS) * 1000n, until: BigInt(BASE_MS + 2 * HOUR_MS) * 1000n };
    const hour = { projectId: project, hour: toHourFromMs(BASE_MS) };
    (await rollups.changing([hour]))();
    expect(await rollups.state(project, range)).toBeUndefined();
    await rollups.run();
    const before = await rollups.state(project, range);
    expect(before).toBeDefined();
    expect(await rollups.state(project, range)).toBe(before);
    (await rollups.changing([hour]))();
    await rollups.run();
    expect(await rollups.state(project, range)).not.toBe(before);
    await rollups.close();
  });
});
