import { createFakeClock } from '@throughline/testkit';
import { storesOfFile } from '@throughline/testkit/stores';
import { v7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { organizations, projects, subscriptions } from '../../platform/control-store/index.ts';
import { createId, type OrganizationId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createUsage } from './index.ts';
import { checkMonths } from './month-check.ts';
import { findMonth, raiseMonthCount } from './store.ts';

const HOUR_MS = 3_600_000;
const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
const monthStart = new Date('2026-10-31T09:00:00Z');
const stores = storesOfFile();

async function anAccount() {
  const [accountId, projectId] = [createId<OrganizationId>(), createId<ProjectId>()];
  const { db } = stores.control;
  await db.insert(organizations).values({ id: accountId, name: 'A', slug: accountId, createdAt: monthStart });
  await db.insert(subscriptions).values({
    id: v7(),
    organizationId: accountId,
    plan: 'pro',
    status: 'active',
    currentPeriodStart: monthStart,
    currentPeriodEnd: new Date('2026-11-30T09:00:00Z'),
    anchorAt: monthStart,
    accessEndsAt: new Date('2026-12-07T09:00:00Z'),
  });
  await db
    .insert(projects)
    .values({ id: projectId, organizationId: accountId, name: 'p', description: '', createdAt: monthStart });
  return { accountId, projectId };
}

/** Stores traces with these ids that were counted at the given time. */
async function store(projectId: ProjectId, countedAt: Date, ids: readonly string[]): Promise<void> {
  const reservation = v7({ msecs: countedAt.getTime() });
  const at = (countedAt.getTime() / 1000).toFixed(1);
  const rows = ids.map((id) => `${projectId}\t${at}\t${id}\t${reservation}\t${at}\n`).join('');
  await stores.traces.insert(
    'traces',
    ['project_id', 'start_time', 'id', 'claim', 'stored_at'],
    Buffer.from(rows),
  );
}

async function check() {
  const logged: string[] = [];
  const log = createLog('error', { write: (line) => void logged.push(line) });
  await checkMonths({ control: stores.control, traces: stores.traces, clock, log });
  return logged;
}

test('the daily check raises the month’s count if more traces are stored than were counted', async () => {
  const [missed, deleted] = [await anAccount(), await anAccount()];
  const now = new Date(clock.now().getTime() - HOUR_MS);
  const ids = [v7(), v7(), v7()];
  await store(missed.projectId, now, ids);
  // A trace that was stored twice counts once. Traces of the previous month do not count.
  await store(missed.projectId, now, ids.slice(0, 1));
  await store(missed.projectId, new Date(monthStart.getTime() - HOUR_MS), [v7(), v7()]);
  await store(deleted.projectId, now, [v7()]);
  const key = ({ accountId }: { accountId: OrganizationId }) => ({ accountId, periodStart: monthStart });
  await raiseMonthCount(stores.control.db, key(missed), 1);
  await raiseMonthCount(stores.control.db, key(deleted), 5);
  const logged = await check();
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ accountId: missed.accountId, counted: 1, stored: 3 });
  expect((await findMonth(stores.control.db, key(missed)))?.traces).toBe(3);
  expect((await findMonth(stores.control.db, key(deleted)))?.traces).toBe(5);
  expect(await check()).toEqual([]);
});

test('the months’ counts are checked every 24 hours', async () => {
  const { accountId, projectId } = await anAccount();
  await store(projectId, new Date(clock.now().getTime() - HOUR_MS), [v7(), v7()]);
  const counted = async () =>
    (await findMonth(stores.control.db, { accountId, periodStart: monthStart }))?.traces;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const usage = createUsage({
    control: stores.control,
    traces: stores.traces,
    clock,
    log: createLog('silent'),
    mail: { send: async () => true, count: async () => {}, sendNow: async () => {}, close: async () => {} },
    publicUrl: () => '',
    shared: false,
    diskFullSince: async () => null,
    clockAheadMs: () => null,
    hasDamage: () => false,
  });
  try {
    vi.advanceTimersByTime(60_000);
    expect(await counted()).toBeUndefined();
    clock.advance(24 * HOUR_MS);
    vi.advanceTimersByTime(60_000);
    await expect.poll(counted, { timeout: 60_000 }).toBe(2);
  } finally {
    vi.useRealTimers();
    await usage.close();
  }
});
