/**
 * bench:locks: measures the cost of the project locks in PostgreSQL, which servers with shared stores hold while they store traces.
 *
 * Recipe. A separate PostgreSQL server on the same machine, with one request at a time. Each round takes the locks of one, of a hundred and
 * of a thousand projects, 100 times each and for different projects each time. To compare, each round also runs 100 transactions that only
 * do `select 1`. The results of a round are the median in ms, and its ratio to the median without locks. A second connection checks that
 * the locks are held.
 *
 *   npm run bench:locks [-- --quick] [-- --json FILE]
 */
import { randomUUID } from 'node:crypto';
import { startPostgres } from '@throughline/testkit/postgres';
import { z } from 'zod';
import { openControlStore } from '../../apps/server/src/platform/control-store/index.ts';
import { type Figure, figure, report } from '../lib/figures.ts';

const PROJECTS = [1, 100, 1000] as const;
const ROUNDS = process.argv.includes('--quick') ? 3 : 7;
const TURNS = 100;

const postgres = await startPostgres();
const databaseUrl = await postgres.createDatabase('bench');
const store = await openControlStore({ databaseUrl, dataDir: 'unused' });
const watcher = await openControlStore({ databaseUrl, dataDir: 'unused' });
const medians = { plain: [] as number[], locked: PROJECTS.map((): number[] => []) };
try {
  for (const count of PROJECTS) await checkHeld(count);
  // The first round is not counted.
  for (let round = -1; round < ROUNDS; round += 1) {
    const plain = await measureMedian(() => store.db.transaction((tx) => tx.execute('select 1')));
    if (round >= 0) medians.plain.push(plain);
    for (const [at, count] of PROJECTS.entries()) {
      const locked = await measureMedian((projects) => store.alone(projects, () => Promise.resolve()), count);
      if (round >= 0) medians.locked[at]?.push(locked);
    }
  }
} finally {
  await Promise.all([store.close(), watcher.close()]);
  await postgres.stop();
}

const figures: Figure[] = [figure('a transaction that locks nothing', 'ms', medians.plain)];
for (const [at, count] of PROJECTS.entries()) {
  const times = medians.locked[at] ?? [];
  const name = count === 1 ? 'the locks of one project' : `the locks of ${count} projects`;
  const ratios = times.map((ms, round) => ms / (medians.plain[round] ?? Number.NaN));
  figures.push(figure(name, 'ms', times), figure(`${name}, by a transaction without`, 'ratio', ratios));
}
await report('locks', figures, process.argv.slice(2));

function some(count: number): string[] {
  return Array.from({ length: count }, () => randomUUID());
}

/** Returns the median duration of a call in ms. Each call uses different projects. */
async function measureMedian(
  work: (projects: readonly string[]) => Promise<unknown>,
  count = 0,
): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const projects = some(count);
    const startMs = performance.now();
    await work(projects);
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b)[TURNS / 2] ?? Number.NaN;
}

/** Fails unless another connection sees locks while a task runs, and none afterwards. Several projects can share a lock. */
async function checkHeld(projects: number): Promise<void> {
  const during = await store.alone(some(projects), heldLocks);
  const after = await heldLocks();
  if (during < 1 || during > projects || after !== 0)
    throw new Error(
      `with the locks of ${projects} projects there were ${during}, and ${after} were left over`,
    );
}

async function heldLocks(): Promise<number> {
  const answer = await watcher.db.execute(
    "select count(*)::int as held from pg_locks where locktype = 'advisory'",
  );
  const {
    rows: [{ held }],
  } = z.object({ rows: z.tuple([z.object({ held: z.number() })]) }).parse(answer);
  return held;
}
