import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { createRollups, type Rollups, toHourFromMs } from './index.ts';
import {
  aRow,
  BASE_MS,
  expectNearestRanks,
  HOUR_MS,
  HOURS,
  insertRows,
  isError,
  MINUTE_MS,
  type Row,
} from './rows.fixture.ts';
import { deleteMarks } from './store.ts';

const stores = storesOfFile();
let store: TraceStore;
beforeAll(() => {
  store = stores.traces;
});

const insert = (project: ProjectId, rows: readonly Row[]) => insertRows(store, project, rows);
const always = (id: ProjectId) => ({ id, shownSince: 0n });
const micros = (ms: number) => BigInt(Math.round(ms)) * 1000n;
const open = (over: TraceStore = store, few = 0) =>
  createRollups({ store: over, log: createLog('fatal') }, { quietMs: 0, few });

/** Computes the expected stats from the rows, without a store. */
function computeFigures(rows: readonly Row[], from: number, until: number) {
  const some = rows.filter(({ startMs }) => startMs >= from && startMs < until);
  const sum = (of: (row: Row) => number) => some.reduce((total, row) => total + of(row), 0);
  if (some.length === 0) return [];
  const heaps = some.flatMap(({ heap }) => heap ?? []);
  return [
    {
      requests: some.length,
      errors: some.filter(isError).length,
      duration_micros_sum: sum((row) => row.durationMicros),
      duration_micros_max: Math.max(...some.map((row) => row.durationMicros)),
      steps_sum: sum((row) => row.steps),
      steps_max: Math.max(...some.map((row) => row.steps)),
      heap_used_sum: heaps.reduce((total, heap) => total + heap, 0),
      heap_used_count: heaps.length,
    },
  ];
}

const nameEndpoint = ({ route, path }: Row) => (route === '' ? path.replace(/\/\d+/, '/:id') : route);

/** Computes each user's expected requests and sessions by iterating over the requests. */
function computeUsers(rows: readonly Row[], from: number, until: number) {
  const some = rows.filter(({ startMs }) => startMs >= from && startMs < until);
  return [...Map.groupBy(some, ({ user }) => user)]
    .map(([user, own]) => {
      const starts = own.map(({ startMs }) => startMs).sort((a, b) => a - b);
      const pauses = starts.filter((start, at) => start - (starts[at - 1] ?? start) >= 30 * MINUTE_MS);
      return {
        user_id: user,
        requests: own.length,
        errors: own.filter(isError).length,
        duration_micros_sum: own.reduce((sum, row) => sum + row.durationMicros, 0),
        sessions: 1 + pauses.length,
        session_micros:
          1000 *
          (Math.max(...starts) -
            Math.min(...starts) -
            pauses.reduce((sum, start) => sum + start - (starts[starts.indexOf(start) - 1] ?? start), 0)),
        last_start: micros(Math.max(...starts)),
      };
    })
    .sort((a, b) => b.requests - a.requests || (a.user_id < b.user_id ? -1 : 1));
}

/** Compares the rollups of a range with stats computed from the rows, in total and by hour and endpoint. */
async function compare(
  rollups: Rollups,
  project: ProjectId,
  rows: readonly Row[],
  from: number,
  until: number,
) {
  const range = { from: micros(from), until: micros(until) };
  const [[whole, ...more] = []] = await rollups.systemSets(always(project), range, [[]]);
  const [plain] = await rollups.requests(always(project), range, []);
  expect(whole ?? {}).toMatchObject(plain ?? {});
  expect(more).toEqual([]);
  const expected = computeFigures(rows, from, until);
  expect(whole === undefined ? [] : [whole]).toMatchObject(expected);
  expect(whole === undefined).toBe(expected.length === 0);
  const within = rows.filter(({ startMs }) => startMs >= from && startMs < until);
  expectNearestRanks(within, whole?.durations);
  const parts = await rollups.requests(always(project), range, ['hour', 'endpoint', 'method']);
  const groups = Map.groupBy(
    within,
    (row) => `${toHourFromMs(row.startMs)} ${nameEndpoint(row)} ${row.method.toUpperCase()}`,
  );
  for (const part of parts) {
    expectNearestRanks(groups.get(`${part.hour} ${part.endpoint} ${part.method}`) ?? [], part.durations);
  }
  expect(
    Object.fromEntries(parts.map((part) => [`${part.hour} ${part.endpoint} ${part.method}`, part.requests])),
  ).toEqual(Object.fromEntries([...groups].map(([name, some]) => [name, some.length])));
  const known = computeUsers(rows, from, until).filter(({ user_id }) => user_id !== '');
  const { busiest, parts: _parts, ...totals } = await rollups.users(always(project), range, 100);
  expect(busiest).toEqual(known);
  const sum = (of: (user: (typeof known)[number]) => number) =>
    known.reduce((all, user) => all + of(user), 0);
  const requests = sum((user) => user.requests);
  expect(totals).toEqual({
    users: known.length,
    requests,
    unknown_requests: (whole?.requests ?? 0) - requests,
    sessions: sum(({ sessions }) => sessions),
    session_micros: sum(({ session_micros }) => session_micros),
  });
}

const hour = fc.nat(HOURS - 1);
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('store' as const),
      rows: fc.array(aRow, { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('run' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('run while it is stored' as const), row: aRow }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut off' as const), after: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('two servers run' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const), first: hour, last: hour }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), before: hour }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete all' as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Returns a store that executes `commands` statements and then fails each further statement, as if the process had ended. */
function cutOffAfter(commands: number): TraceStore {
  let left = commands;
  const counted =
    (command: TraceStore['command']): TraceStore['command'] =>
    async (sql, params) => {
      if (left === 0) throw new Error('cut off');
      left -= 1;
      await command(sql, params);
    };
  return { ...store, command: counted(store.command), commandBeside: counted(store.commandBeside) };
}

async function apply(one: Operation, rollups: Rollups, project: ProjectId, rows: Row[]): Promise<Rollups> {
  const changing = (some: readonly Row[]) =>
    rollups.changing(some.map(({ startMs }) => ({ projectId: project, hour: toHourFromMs(startMs) })));
  const remove = async (gone: readonly Row[], command: () => Promise<void>) => {
    const done = await changing(gone);
    await command();
    done();
    rows.splice(0, rows.length, ...rows.filter((row) => !gone.includes(row)));
  };
  switch (one.kind) {
    case 'store': {
      const done = await changing(one.rows);
      await insert(project, one.rows);
      done();
      rows.push(...one.rows);
      return rollups;
    }
    case 'again': {
      const row = rows[one.which % rows.length];
      if (row === undefined) return rollups;
      const done = await changing([row]);
      await insert(project, [row]);
      done();
      return rollups;
    }
    case 'delete': {
      const row = rows[one.which % rows.length];
      if (row === undefined) return rollups;
      await remove([row], () =>
        store.command('DELETE FROM traces WHERE project_id = {project:UUID} AND id = {id:UUID}', {
          project,
          id: row.id,
        }),
      );
      return rollups;
    }
    case 'run':
      await rollups.run();
      return rollups;
    case 'run while it is stored': {
      const done = await changing([one.row]);
      await rollups.run();
      await insert(project, [one.row]);
      done();
      rows.push(one.row);
      return rollups;
    }
    case 'cut off': {
      await rollups.close();
      const cut = open(cutOffAfter(one.after));
      await cut.run().catch(() => {});
      await cut.close();
      return open();
    }
    case 'restart':
      await rollups.close();
      return open();
    case 'two servers run': {
      // Closes the server that stored the rows, which discards the marks in its memory. With the usual delays, these marks would have
      // expired before another server rebuilds the hours.
      await rollups.close();
      const servers = [open(), open()] as const;
      await Promise.all(servers.map((server) => server.run()));
      await servers[1].close();
      return servers[0];
    }
    case 'rebuild':
      await rollups.rebuild(project, {
        from: micros(BASE_MS + Math.min(one.first, one.last) * HOUR_MS),
        until: micros(BASE_MS + (Math.max(one.first, one.last) + 1) * HOUR_MS),
      });
      return rollups;
    case 'expire': {
      const before = BASE_MS + one.before * HOUR_MS;
      await remove(
        rows.filter(({ startMs }) => startMs < before),
        () =>
          store.command(
            'DELETE FROM traces WHERE project_id = {project:UUID} AND start_time < fromUnixTimestamp64Milli({before:Int64})',
            { project, before: String(before) },
          ),
      );
      await rollups.forget(project, toHourFromMs(before));
      return rollups;
    }
    case 'delete all':
      await rollups.changingAll(project);
      await store.command('DELETE FROM traces WHERE project_id = {project:UUID}', { project });
      await rollups.forget(project);
      rows.splice(0);
      return rollups;
  }
}

describe('stats from rollups', () => {
  test('equal the stats computed from the stored traces after any inserts, deletions and rebuilds', {
    timeout: repetitions({ usually: 120_000, thoroughly: 1_800_000 }),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 1, maxLength: 14 }),
        fc.tuple(fc.nat(HOURS * 60), fc.nat(HOURS * 60)),
        async (operations, [one, other]) => {
          const project = createId<ProjectId>();
          const rows: Row[] = [];
          let rollups = open();
          const fromTraces = open(store, 1_000_000);
          try {
            for (const each of operations) {
              rollups = await apply(each, rollups, project, rows);
              // Compares a range of whole hours, then a range with partial first and last hours.
              await compare(rollups, project, rows, BASE_MS, BASE_MS + HOURS * HOUR_MS);
              const [from, until] = [Math.min(one, other), Math.max(one, other)];
              await compare(rollups, project, rows, BASE_MS + from * MINUTE_MS, BASE_MS + until * MINUTE_MS);
              await compare(
                fromTraces,
                project,
                rows,
                BASE_MS + from * MINUTE_MS,
                BASE_MS + until * MINUTE_MS,
              );
            }
          } finally {
            await Promise.all([rollups.close(), fromTraces.close()]);
          }
        },
      ),
      { numRuns: repetitions({ usually: 1, thoroughly: 80 }), endOnFailure: true },
    );
  });

  test.runIf(isThorough())('include traces in the last milliseconds of an hour', async () => {
    const project = createId<ProjectId>();
    const rollups = open();
    const endMs = BASE_MS + HOUR_MS;
    const [first, second] = fc.sample(aRow, 2).map((row, at) => ({ ...row, startMs: endMs - 1 - at * 12 }));
    if (first === undefined || second === undefined) throw new Error('there are two');
    const done = await rollups.changing([{ projectId: project, hour: toHourFromMs(BASE_MS) }]);
    await insert(project, [first, second]);
    done();
    await rollups.run();
    await compare(rollups, project, [first, second], BASE_MS, endMs);
    await rollups.rebuild(project, { from: micros(BASE_MS), until: micros(endMs) });
    await compare(rollups, project, [first, second], BASE_MS, endMs);
    await rollups.close();
  });

  test.runIf(isThorough())('are read from rollups after changed traces were rolled up', async () => {
    const project = createId<ProjectId>();
    const rollups = open();
    const rows = fc.sample(aRow, 50);
    const done = await rollups.changing(
      rows.map(({ startMs }) => ({ projectId: project, hour: toHourFromMs(startMs) })),
    );
    await insert(project, rows);
    done();
    await rollups.run();
    // Rows inserted without a call of `changing` must be missing in the stats, which proves that the stats come from rollups.
    await insert(project, fc.sample(aRow, 5));
    await compare(rollups, project, rows, BASE_MS, BASE_MS + HOURS * HOUR_MS);
    await rollups.close();
  });

  test('exclude expired traces and other projects', async () => {
    const [one, other] = [createId<ProjectId>(), createId<ProjectId>()];
    const rollups = open();
    const rows = fc.sample(aRow, 40);
    for (const project of [one, other]) {
      const done = await rollups.changing(
        rows.map(({ startMs }) => ({ projectId: project, hour: toHourFromMs(startMs) })),
      );
      await insert(project, rows);
      done();
    }
    await rollups.run();
    const shownSince = BASE_MS + 2.5 * HOUR_MS;
    const whole = { from: micros(BASE_MS), until: micros(BASE_MS + HOURS * HOUR_MS) };
    const [shown] = await rollups.systemSets({ id: one, shownSince: micros(shownSince) }, whole, [[]]);
    expect(shown).toMatchObject(computeFigures(rows, shownSince, BASE_MS + HOURS * HOUR_MS));
    expect(await rollups.requests(always(one), { ...whole, until: whole.from }, [])).toEqual([]);
    expect(await rollups.requests(always(createId<ProjectId>()), whole, [])).toEqual([]);
    await rollups.close();
  });
});

test.runIf(isThorough())('thousands of dirty-hour marks can be deleted in one call', async () => {
  const project = createId<ProjectId>();
  const ofProject = 'FROM rollup_marks WHERE project_id = {project:UUID}';
  await store.command(
    `INSERT INTO rollup_marks SELECT {project:UUID}, toDateTime(number * 3600), generateUUIDv4(), now64(3) FROM numbers(5000)`,
    { project },
  );
  const marks = await store.lines(`SELECT toString(mark) ${ofProject}`, { project });
  expect(marks).toHaveLength(5000);
  await deleteMarks(store, marks);
  expect(await store.lines(`SELECT toString(count()) ${ofProject}`, { project })).toEqual(['0']);
});
