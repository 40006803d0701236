import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@throughline/testkit';
import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough } from '@throughline/testkit/thorough';
import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { diskBudgets, organizations, projects, subscriptions } from '../../platform/control-store/index.ts';
import { readDiskSpace } from '../../platform/disks/disk.ts';
import { createId, type OrganizationId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createRollups, type Rollups, toHourFromMs } from '../rollups/index.ts';
import { createDiskBudget } from './disk-budget.ts';
import { holdBudget } from './disk-budget-store.ts';
import { createRetention, type Retention } from './index.ts';

const HOUR_MS = 3_600_000;
const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
const stores = storesOfFile();
let rollups: Rollups;
beforeAll(async () => {
  rollups = createRollups({ store: stores.traces, log: createLog('error') }, { quietMs: 0 });
  server = retention();
  await server.sweep();
  clock.advance(25 * HOUR_MS);
  await server.sweep();
});
afterAll(async () => {
  await server.close();
  await rollups.close();
});

const retention = (given: { readonly maxBytes?: number } = {}) =>
  createRetention({
    control: stores.control,
    traces: stores.traces,
    rollups,
    clock,
    log: createLog('error'),
    maxBytes: given.maxBytes,
    folder: undefined,
    shared: false,
  });
/** A server that has run for a day before the first test. */
let server: Retention;
const sweep = () => server.sweep();

async function aProject(plan: 'pro' | 'enterprise_plus') {
  const [organizationId, id] = [createId<OrganizationId>(), createId<ProjectId>()];
  const now = clock.now();
  const { db } = stores.control;
  await db
    .insert(organizations)
    .values({ id: organizationId, name: 'A', slug: organizationId, createdAt: now });
  await db.insert(subscriptions).values({
    id: v7(),
    organizationId,
    plan,
    status: 'active',
    currentPeriodStart: now,
    currentPeriodEnd: now,
    anchorAt: now,
    accessEndsAt: new Date('2100-01-01'),
  });
  await db.insert(projects).values({ id, organizationId, name: 'p', description: '', createdAt: now });
  return { id, organizationId };
}

interface Put {
  readonly name: string;
  readonly startedHoursAgo: number;
  /** Hours between the start of the trace and its arrival. */
  readonly late?: number;
  readonly isError?: boolean;
  readonly durationMs?: number;
  readonly filler?: string;
  /** True if the trace's step is an OpenTelemetry span. */
  readonly spans?: boolean;
}
const seconds = (hoursAgo: number) => ((clock.now().getTime() - hoursAgo * HOUR_MS) / 1000).toFixed(6);

/** Stores traces with one step each, named like the trace, and rolls them up. */
async function put(project: ProjectId, all: readonly Put[]) {
  const stored = await rollups.changing(
    all.map(({ startedHoursAgo }) => ({
      projectId: project,
      hour: toHourFromMs(clock.now().getTime() - startedHoursAgo * HOUR_MS),
    })),
  );
  const rows = { traces: '', steps: '', spans: '' };
  for (const [
    place,
    { name, startedHoursAgo, late = 0, isError = false, durationMs = 1, filler = '', spans = false },
  ] of all.entries()) {
    const id = v7();
    const stored = seconds(startedHoursAgo - late);
    const traceId = v7().replaceAll('-', '');
    rows.traces += `${project}\t${seconds(startedHoursAgo)}\t${id}\t${name}\t${isError}\t${durationMs * 1000}\t${spans}\t${traceId}\t${stored}\n`;
    if (spans) rows.spans += `${project}\t${traceId}\t${place}\t${name}\t${filler}\t${stored}\n`;
    else rows.steps += `${project}\t${id}\t0\t${name}\t${filler}\t${stored}\n`;
  }
  await stores.traces.insert(
    'traces',
    [
      'project_id',
      'start_time',
      'id',
      'path',
      'is_error',
      'duration_micros',
      'has_spans',
      'trace_id',
      'stored_at',
    ],
    Buffer.from(rows.traces),
  );
  if (rows.steps !== '')
    await stores.traces.insert(
      'steps',
      ['project_id', 'trace', 'ordinal', 'name', 'captured', 'stored_at'],
      Buffer.from(rows.steps),
    );
  if (rows.spans !== '')
    await stores.traces.insert(
      'spans',
      ['project_id', 'trace_id', 'span_id', 'name', 'captured', 'stored_at'],
      Buffer.from(rows.spans),
    );
  stored();
  await rollups.run();
}

/** Returns the names of a project's traces, steps and spans. Checks that the rollups contain exactly these traces. */
async function left(project: ProjectId) {
  const names = (table: string, column: string) =>
    stores.traces.lines(`SELECT ${column} FROM ${table} WHERE project_id = {project:UUID}`, { project });
  const [rows, steps, spans] = [
    await names('traces', 'path'),
    await names('steps', 'name'),
    await names('spans', 'name'),
  ];
  const ever = { from: 0n, until: BigInt(clock.now().getTime() + HOUR_MS) * 1000n };
  const [figures] = await rollups.requests({ id: project, shownSince: 0n }, ever, []);
  expect(figures?.requests ?? 0).toBe(rows.length);
  return { traces: rows.sort(), steps: [...steps, ...spans].sort() };
}
const same = (...names: string[]) => ({ traces: names.toSorted(), steps: names.toSorted() });

describe('expired traces', () => {
  test('are deleted with their steps and spans after they have been hidden for a day; other traces stay', async () => {
    const { id } = await aProject('pro');
    const other = await aProject('enterprise_plus');
    const days = 21 * 24;
    const all: Put[] = [
      { name: 'fresh', startedHoursAgo: 1 },
      { name: 'hidden', startedHoursAgo: days + 23 },
      { name: 'gone', startedHoursAgo: days + 25 },
      { name: 'gone-spans', startedHoursAgo: days + 25, spans: true },
      { name: 'came late', startedHoursAgo: days + 25, late: 20 * 24 },
      { name: 'late spans', startedHoursAgo: days + 25, late: 20 * 24, spans: true },
      { name: 'clock ahead', startedHoursAgo: days + 20, late: -10 },
      { name: 'spans ahead', startedHoursAgo: days + 20, late: -10, spans: true },
    ];
    await put(id, all);
    await put(other.id, all);
    await sweep();
    expect(await left(id)).toEqual(same('fresh', 'hidden', 'clock ahead', 'spans ahead'));
    expect(await left(other.id)).toEqual(same(...all.map(({ name }) => name)));
  });

  test('are not deleted if the clock jumps 120 days ahead, and are visible again after the clock is corrected', async () => {
    const { id } = await aProject('pro');
    await put(id, [
      { name: 'fresh', startedHoursAgo: 1 },
      { name: 'old', startedHoursAgo: 21 * 24 },
    ]);
    const right = clock.now();
    clock.set(new Date(right.getTime() + 120 * 24 * HOUR_MS));
    await sweep();
    clock.advance(12 * HOUR_MS);
    await sweep();
    clock.set(new Date(right.getTime() + 12 * HOUR_MS));
    await sweep();
    expect(await left(id)).toEqual(same('fresh', 'old'));
  });

  test('are deleted according to a trusted time, which the deletion of other expired data also uses', async () => {
    const times: Date[] = [];
    server.onSweep(async (now) => void times.push(now));
    const right = clock.now();
    clock.set(new Date(right.getTime() + 120 * 24 * HOUR_MS));
    await sweep();
    clock.set(right);
    await sweep();
    expect(times).toHaveLength(2);
    for (const time of times) expect(time.getTime()).toBeLessThanOrEqual(right.getTime());
  });

  test.runIf(isThorough())(
    'hidden by a downgrade stay stored for a day, and reappear after an upgrade',
    async () => {
      const { id, organizationId } = await aProject('enterprise_plus');
      await put(id, [{ name: 'old', startedHoursAgo: 60 * 24 }]);
      await sweep();
      const change = (plan: 'pro' | 'enterprise_plus') =>
        stores.control.db
          .update(subscriptions)
          .set({ plan })
          .where(eq(subscriptions.organizationId, organizationId));
      await change('pro');
      await sweep();
      clock.advance(23 * HOUR_MS);
      await sweep();
      expect(await left(id)).toEqual(same('old'));
      await change('enterprise_plus');
      await sweep();
      clock.advance(2 * HOUR_MS);
      await change('pro');
      await sweep();
      clock.advance(23 * HOUR_MS);
      await sweep();
      expect(await left(id)).toEqual(same('old'));
      clock.advance(8 * HOUR_MS);
      await sweep();
      expect(await left(id)).toEqual(same());
    },
  );
});

const noise = (seed: number) => {
  let text = '';
  for (let at = 0; text.length < 20_000; at += 1)
    text += Math.sin(seed * 1000 + at)
      .toString(36)
      .slice(2);
  return text;
};

/** Builds `count` traces of 20 kB each, oldest first. Every tenth trace failed. */
const many = (count: number, isSlow: (index: number) => boolean = () => false): Put[] =>
  Array.from({ length: count }, (_trace, index) => ({
    name: `t${String(index).padStart(3, '0')}`,
    // Spreads the traces over few hours, because each hour's rollup is rebuilt.
    startedHoursAgo: (count - index) / 20,
    isError: index % 10 === 0,
    durationMs: isSlow(index) ? 1001 : 1000,
    filler: noise(index),
    spans: index % 3 === 0,
  }));
const listNames = (all: readonly Put[], which: (put: Put) => boolean) =>
  all.filter(which).map(({ name }) => name);

describe('to enforce the disk budget,', () => {
  afterEach(async () => {
    for (const table of ['traces', 'steps', 'spans']) await stores.traces.command(`TRUNCATE TABLE ${table}`);
    await stores.control.db.delete(diskBudgets);
  });

  test('the oldest successful traces are evicted first, and a banner reports this; failed traces stay', async () => {
    const { id } = await aProject('pro');
    const all = many(100);
    await put(id, all);
    const roomy = retention({ maxBytes: 100e6 });
    await roomy.keepDiskBudget();
    expect(await roomy.diskFullSince()).toBeNull();
    await roomy.close();
    expect((await left(id)).traces).toHaveLength(100);

    const tight = retention({ maxBytes: 750_000 });
    await tight.keepDiskBudget();
    expect(await tight.diskFullSince()).toEqual(clock.now());
    const { traces: rows, steps } = await left(id);
    expect(steps).toEqual(rows);
    const errors = listNames(all, ({ isError }) => isError === true);
    expect(rows).toEqual(expect.arrayContaining(errors));
    const successes = rows.filter((name) => !errors.includes(name));
    expect(successes.length).toBeGreaterThan(10);
    expect(successes.length).toBeLessThan(60);
    const newest = listNames(all, ({ isError }) => isError !== true);
    expect(successes).toEqual(newest.slice(-successes.length));
    await tight.close();

    // A server that starts later, or runs in parallel, reports the same start of the eviction.
    const again = retention({ maxBytes: 750_000 });
    const since = clock.now();
    clock.advance(HOUR_MS);
    expect(await again.diskFullSince()).toEqual(since);
    clock.advance(24 * HOUR_MS);
    expect(await again.diskFullSince()).toBeNull();
    await again.close();
  });

  test.runIf(isThorough())(
    'quick successful traces are evicted before slow successful traces, and failed traces are evicted last',
    async () => {
      const { id } = await aProject('pro');
      const all = many(60, (index) => index % 2 === 1);
      await put(id, all);
      const slow = listNames(all, ({ durationMs, isError }) => durationMs === 1001 && isError !== true);
      const failed = listNames(all, ({ isError }) => isError === true);
      const kept = async (maxBytes: number) => {
        const one = retention({ maxBytes });
        await one.keepDiskBudget();
        await one.close();
        return (await left(id)).traces;
      };
      expect(await kept(700_000)).toEqual(expect.arrayContaining([...slow, ...failed]));
      const fewer = await kept(350_000);
      expect(fewer).toEqual(expect.arrayContaining(failed));
      expect(fewer.filter((name) => slow.includes(name))).not.toEqual(slow);
      expect(fewer.length).toBeLessThan(slow.length + failed.length);
      const fewest = await kept(50_000);
      expect(fewest.length).toBeLessThan(failed.length);
      expect(failed).toEqual(expect.arrayContaining(fewest));
    },
  );

  test.runIf(isThorough())(
    'only one server evicts at a time, and another server takes over after a limited time if the first server crashes',
    async () => {
      const { id } = await aProject('pro');
      await put(id, many(30));
      const died = { server: v7(), until: new Date(clock.now().getTime() + 15 * 60_000) };
      expect(await holdBudget(stores.control.db, died.server, { now: clock.now(), until: died.until })).toBe(
        true,
      );
      const servers = [1, 2].map(() => retention({ maxBytes: 200_000 }));
      const keep = () => Promise.all(servers.map((server) => server.keepDiskBudget()));
      await keep();
      expect((await left(id)).traces).toHaveLength(30);
      clock.set(died.until);
      await keep();
      const kept = (await left(id)).traces;
      expect(kept.length).toBeLessThan(15);
      // More than two traces are left, because the second server found enough space.
      expect(kept.length).toBeGreaterThan(2);
      for (const server of servers) await server.close();
    },
  );

  /** Returns the log output for a disk with this much free space, and the traces that are left. */
  async function onDisk(id: ProjectId, freeBytes: number) {
    const said: unknown[] = [];
    const log = createLog('silent');
    log.warn = (_figures: unknown, text?: string) => said.push(text);
    const budget = createDiskBudget({
      control: stores.control,
      traces: stores.traces,
      rollups,
      clock,
      log,
      maxBytes: undefined,
      // A twentieth of the disk is reserved.
      space: async () => ({ freeBytes, totalBytes: 20_000_000 }),
    });
    await budget.keep();
    await budget.keep();
    return { said, left: await left(id) };
  }

  test.runIf(isThorough())(
    'no traces are evicted from a disk that other files fill, and the problem is logged once',
    async () => {
      const { id } = await aProject('pro');
      await put(id, many(10));
      const { said, left } = await onDisk(id, 0);
      expect(left.traces).toHaveLength(10);
      expect(said).toEqual([expect.stringContaining('Free space on the disk')]);
    },
  );

  test.runIf(isThorough())(
    'at most half of the traces are evicted from a disk that these traces fill, and no failed traces',
    async () => {
      const { id } = await aProject('pro');
      const all = many(150);
      await put(id, all);
      const { left } = await onDisk(id, 300_000);
      expect(left.traces.length).toBeLessThan(150);
      expect(left.traces.length).toBeGreaterThanOrEqual(30);
      expect(left.traces).toEqual(expect.arrayContaining(listNames(all, ({ isError }) => isError === true)));
    },
  );

  test.skipIf(process.getuid?.() !== 0)("the free space of a folder's disk is measured", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'throughline-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
    try {
      await writeFile(join(folder, 'file'), Buffer.alloc(6 * 1024 * 1024));
      const megabyte = 1024 * 1024;
      expect(await readDiskSpace(folder)).toEqual({ freeBytes: 2 * megabyte, totalBytes: 8 * megabyte });
    } finally {
      execFileSync('umount', [folder]);
      await rm(folder, { recursive: true });
    }
  });
});
