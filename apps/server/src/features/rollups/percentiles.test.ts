import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { createRollups, toHourFromMs } from './index.ts';
import { aRow, BASE_MS, expectNearestRanks, HOUR_MS, HOURS, insertRows, type Row } from './rows.fixture.ts';

const stores = storesOfFile();
let store: TraceStore;
beforeAll(() => {
  store = stores.traces;
});

const RANGE = {
  from: BigInt(BASE_MS) * 1000n,
  until: BigInt(BASE_MS + HOURS * HOUR_MS) * 1000n,
};

/** Reads the stats by endpoint twice: from traces and from hourly rollups. */
async function readBoth(rows: readonly Row[]) {
  const id = createId<ProjectId>();
  const rollups = createRollups({ store, log: createLog('fatal') }, { quietMs: 0, few: 0 });
  const plain = createRollups({ store, log: createLog('fatal') }, { quietMs: 0, few: 1_000_000 });
  try {
    const hours = new Set(rows.map(({ startMs }) => toHourFromMs(startMs)));
    const done = await rollups.changing([...hours].map((hour) => ({ projectId: id, hour })));
    await insertRows(store, id, rows);
    done();
    await rollups.run();
    const shown = { id, shownSince: 0n };
    return {
      rolledUp: await rollups.requests(shown, RANGE, ['endpoint']),
      plain: await plain.requests(shown, RANGE, ['endpoint']),
    };
  } finally {
    await Promise.all([rollups.close(), plain.close()]);
  }
}

const [template] = fc.sample(aRow, 1);
if (template === undefined) throw new Error('a row was asked for');
const buildRows = (route: string, durations: readonly number[]): Row[] =>
  durations.map((durationMicros, at) => {
    const startMs = BASE_MS + (at % HOURS) * HOUR_MS;
    return { ...template, id: createId<ProjectId>(), route, durationMicros, startMs };
  });

test('nine requests of 10 ms and one of 5 s have a P95 and a P99 of 5 s', async () => {
  const found = await readBoth(buildRows('/one', [...Array(9).fill(10_000), 5_000_000]));
  for (const [figures] of [found.rolledUp, found.plain]) {
    expect(figures?.durations.map((micros) => Math.round(micros / 100_000))).toEqual([0, 50, 50]);
  }
});

test.runIf(isThorough())('percentiles are the values at the nearest rank for 1 to 210 requests', async () => {
  // Each duration is 10 % longer than the previous one, so that no two durations are within 1 % of each other.
  const durations = (count: number) => Array.from({ length: count }, (_, at) => Math.round(100 * 1.1 ** at));
  const rows = Array.from({ length: 210 }, (_, at) => buildRows(`/of/${at + 1}`, durations(at + 1))).flat();
  const byRoute = Map.groupBy(rows, ({ route }) => route);
  const found = await readBoth(rows);
  for (const figures of [found.rolledUp, found.plain]) {
    expect(figures).toHaveLength(210);
    for (const { endpoint, durations: three } of figures) {
      expectNearestRanks(byRoute.get(endpoint ?? '') ?? [], three);
    }
  }
});

test.runIf(isThorough())('requests with a duration of 0 have percentiles of 0', async () => {
  const found = await readBoth(buildRows('/none', [0]));
  expect([found.rolledUp, found.plain].map(([figures]) => figures?.durations)).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
});
