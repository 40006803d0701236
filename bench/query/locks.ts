/**
 * bench:locks: what it costs to hold the locks of projects in PostgreSQL while their traces are stored, as servers do that share their stores.
 *
 * Recipe. A PostgreSQL server of its own on the same machine, asked one after the other. Each round takes 100 times the locks of one, of a
 * hundred and of a thousand projects, other ones each time, and as often a transaction that asks for nothing but a number: a round's figure is the
 * median, given by that of the plain transaction too. The locks are counted from another connection while they are held.
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

/** The median duration of a call, ms; each call is for another project. */
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

/** Fails unless another connection sees locks while a task runs, and none once it is done. Projects may share one. */
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
