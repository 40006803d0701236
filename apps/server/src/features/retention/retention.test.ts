import { createFakeClock } from '@throughline/testkit';
import { storesOfFile } from '@throughline/testkit/stores';
import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizations, projects, subscriptions } from '../../platform/control-store/index.ts';
import { newId, type OrganizationId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createRollups, hourOfMs, type Rollups } from '../rollups/index.ts';
import { createRetention } from './index.ts';

const HOUR_MS = 3_600_000;
const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
const stores = storesOfFile();
let rollups: Rollups;
beforeAll(() => {
  rollups = createRollups({ store: stores.traces, log: createLog('error') }, { quietMs: 0 });
});
afterAll(() => rollups.close());

const retention = (given: { readonly maxBytes?: number } = {}) =>
  createRetention({
    control: stores.control,
    traces: stores.traces,
    rollups,
    clock,
    log: createLog('error'),
    maxBytes: given.maxBytes,
    folder: undefined,
  });
const sweep = async () => {
  const one = retention();
  await one.sweep();
  await one.close();
};

async function aProject(plan: 'pro' | 'enterprise_plus') {
  const [organizationId, id] = [newId<OrganizationId>(), newId<ProjectId>()];
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
  /** As long after its start it came. */
  readonly late?: number;
  readonly isError?: boolean;
  readonly filler?: string;
  /** Its step is a span. */
  readonly spans?: boolean;
}
const seconds = (hoursAgo: number) => ((clock.now().getTime() - hoursAgo * HOUR_MS) / 1000).toFixed(6);

/** Stores traces with one step each, named like them, and rolls them up. */
async function put(project: ProjectId, all: readonly Put[]) {
  const stored = await rollups.changing(
    all.map(({ startedHoursAgo }) => ({
      projectId: project,
      hour: hourOfMs(clock.now().getTime() - startedHoursAgo * HOUR_MS),
    })),
  );
  const rows = { traces: '', steps: '', spans: '' };
  for (const [
    place,
    { name, startedHoursAgo, late = 0, isError = false, filler = '', spans = false },
  ] of all.entries()) {
    const id = v7();
    const stored = seconds(startedHoursAgo - late);
    const traceId = v7().replaceAll('-', '');
    rows.traces += `${project}\t${seconds(startedHoursAgo)}\t${id}\t${name}\t${isError}\t${spans}\t${traceId}\t${stored}\n`;
    if (spans) rows.spans += `${project}\t${traceId}\t${place}\t${name}\t${filler}\t${stored}\n`;
    else rows.steps += `${project}\t${id}\t0\t${name}\t${filler}\t${stored}\n`;
  }
  await stores.traces.insert(
    'traces',
    ['project_id', 'start_time', 'id', 'path', 'is_error', 'has_spans', 'trace_id', 'stored_at'],
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

/** What is there of a project: the names of its traces, and those of its steps and spans. Figures must be of just these traces. */
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
  test('are deleted with their steps and spans when they have been hidden for a day; others stay', async () => {
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

  test('that a downgrade hides stay for a day, and come back with an upgrade', async () => {
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
  });
});

test('beyond the disk budget the oldest successful traces go first, with a banner; errors stay', async () => {
  const { id } = await aProject('pro');
  const noise = (seed: number) => {
    let text = '';
    for (let at = 0; text.length < 20_000; at += 1)
      text += Math.sin(seed * 1000 + at)
        .toString(36)
        .slice(2);
    return text;
  };
  const all = Array.from({ length: 200 }, (_trace, index) => ({
    name: `t${String(index).padStart(3, '0')}`,
    startedHoursAgo: 200 - index,
    isError: index % 10 === 0,
    filler: noise(index),
    spans: index % 3 === 0,
  }));
  await put(id, all);
  const roomy = retention({ maxBytes: 100e6 });
  await roomy.keepDiskBudget();
  expect(roomy.diskFullSince()).toBeNull();
  await roomy.close();
  expect((await left(id)).traces).toHaveLength(200);

  const tight = retention({ maxBytes: 1_500_000 });
  await tight.keepDiskBudget();
  expect(tight.diskFullSince()).toEqual(clock.now());
  const { traces: rows, steps } = await left(id);
  expect(steps).toEqual(rows);
  const errors = all.filter(({ isError }) => isError).map(({ name }) => name);
  expect(rows).toEqual(expect.arrayContaining(errors));
  const successes = rows.filter((name) => !errors.includes(name));
  expect(successes.length).toBeGreaterThan(20);
  expect(successes.length).toBeLessThan(120);
  const newest = all.filter(({ isError }) => !isError).map(({ name }) => name);
  expect(successes).toEqual(newest.slice(-successes.length));
  clock.advance(25 * HOUR_MS);
  expect(tight.diskFullSince()).toBeNull();
  await tight.close();
});
