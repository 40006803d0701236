import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlStore, openControlStore } from '../../platform/control-store/index.ts';
import { newId, type OrganizationId } from '../../platform/ids.ts';
import { openTraceStore, type TraceStore } from '../../platform/trace-store/index.ts';
import { createClaims, type Granted } from './claims.ts';
import { findMonth } from './store.ts';

const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
let dataDir: string;
let control: ControlStore;
let traces: TraceStore;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-claims-'));
  await putStores(dataDir);
  control = await openControlStore({ databaseUrl: undefined, dataDir });
  traces = await openTraceStore({ clickhouse: undefined, dataDir });
});
afterAll(async () => {
  await Promise.all([control.close(), traces.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

const aServer = () => createClaims({ control, traces, clock, reached: async () => {} });
const anAccount = () => ({
  accountId: newId<OrganizationId>(),
  monthlyTraces: 1000,
  periodAnchor: new Date('2026-11-01T00:00:00Z'),
});
type Quota = ReturnType<typeof anAccount>;
const used = async ({ accountId, periodAnchor }: Quota) =>
  (await findMonth(control.db, { accountId, periodStart: periodAnchor }))?.traces;
const store = ({ id }: Granted, count: number) =>
  traces.insert(
    'traces',
    ['project_id', 'start_time', 'id', 'claim', 'stored_at'],
    Buffer.from(
      Array.from({ length: count }, () => `${newId()}\t1795262505.0\t${newId()}\t${id}\t1795262505.0\n`).join(
        '',
      ),
    ),
  );
const claimOne = async (
  server: ReturnType<typeof aServer>,
  quota: Quota,
  count: number,
): Promise<Granted> => {
  const granted = (await server.make([{ quota, traces: count }])).get(quota.accountId);
  if (granted === undefined) throw new Error('nothing was granted');
  return granted;
};
const soon = () => new Date(clock.now().getTime() + 1);

test('a month is exact again after a crash between counting and storing', async () => {
  const quota = anAccount();
  const crashed = aServer();
  await store(await claimOne(crashed, quota, 10), 10);
  await store(await claimOne(crashed, quota, 7), 3);
  await claimOne(crashed, quota, 5);
  // What is on its way is left alone by the server whose it is.
  await crashed.reconcile(soon());
  expect(await used(quota)).toBe(22);
  const [one, other] = [aServer(), aServer()];
  await Promise.all([one.reconcile(soon()), other.reconcile(soon())]);
  await one.reconcile(soon());
  expect(await used(quota)).toBe(13);
});

test('a store that failed is counted by what it has', async () => {
  const quota = anAccount();
  const server = aServer();
  const failed = await claimOne(server, quota, 10);
  server.failed([failed.id]);
  await server.reconcile(soon());
  expect(await used(quota)).toBe(0);
  const fine = await claimOne(server, quota, 10);
  server.stored([fine.id]);
  await server.reconcile(soon());
  expect(await used(quota)).toBe(10);
});

test('many servers at once let through what the plan allows, and not one more', async () => {
  const quotas = [anAccount(), anAccount()];
  const servers = Array.from({ length: 4 }, aServer);
  const granted = await Promise.all(
    servers.flatMap((server) =>
      Array.from({ length: 5 }, (_group, place) =>
        server.make((place % 2 === 0 ? quotas : quotas.toReversed()).map((quota) => ({ quota, traces: 70 }))),
      ),
    ),
  );
  for (const quota of quotas) {
    const sum = granted.reduce((total, group) => total + (group.get(quota.accountId)?.traces ?? 0), 0);
    expect(sum).toBe(1050);
    expect(await used(quota)).toBe(1050);
  }
});
