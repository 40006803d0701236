import { createFakeClock } from '@throughline/testkit';
import { storesOfFile } from '@throughline/testkit/stores';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createId, type OrganizationId } from '../../platform/ids.ts';
import { createReservations, type GrantedQuota } from './reservations.ts';
import { findMonth } from './store.ts';

const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
const stores = storesOfFile();

const aServer = () =>
  createReservations({ control: stores.control, traces: stores.traces, clock, reached: async () => {} });
const anAccount = () => ({
  accountId: createId<OrganizationId>(),
  plan: 'free_trial' as const,
  kind: 'organization' as const,
  periodAnchor: new Date('2026-11-01T00:00:00Z'),
});
type Quota = ReturnType<typeof anAccount>;
const used = async ({ accountId, periodAnchor }: Quota) =>
  (await findMonth(stores.control.db, { accountId, periodStart: periodAnchor }))?.traces;
const store = ({ id }: GrantedQuota, count: number) =>
  stores.traces.insert(
    'traces',
    ['project_id', 'start_time', 'id', 'claim', 'stored_at'],
    Buffer.from(
      Array.from(
        { length: count },
        () => `${createId()}\t1795262505.0\t${createId()}\t${id}\t1795262505.0\n`,
      ).join(''),
    ),
  );
const reserveOne = async (
  server: ReturnType<typeof aServer>,
  quota: Quota,
  count: number,
): Promise<GrantedQuota> => {
  const granted = (await server.reserve([{ quota, traces: count }])).get(quota.accountId);
  if (granted === undefined) throw new Error('nothing was granted');
  return granted;
};
const soon = () => new Date(clock.now().getTime() + 1);

test("the month's count is corrected after a crash between counting and storing", async () => {
  const quota = anAccount();
  const crashed = aServer();
  await store(await reserveOne(crashed, quota, 10), 10);
  await store(await reserveOne(crashed, quota, 7), 3);
  await reserveOne(crashed, quota, 5);
  // Reconciling leaves a server's own reservations alone while they are in progress.
  await crashed.reconcile(soon());
  expect(await used(quota)).toBe(22);
  const [one, other] = [aServer(), aServer()];
  await Promise.all([one.reconcile(soon()), other.reconcile(soon())]);
  await one.reconcile(soon());
  expect(await used(quota)).toBe(13);
});

test('after a failed insert, only the traces that were stored are counted', async () => {
  const quota = anAccount();
  const server = aServer();
  const failed = await reserveOne(server, quota, 10);
  server.release([failed.id]);
  await server.reconcile(soon());
  expect(await used(quota)).toBe(0);
  const fine = await reserveOne(server, quota, 10);
  server.commit([fine.id]);
  await server.reconcile(soon());
  expect(await used(quota)).toBe(10);
});

test('several servers together accept exactly the number of traces that the plan allows', async () => {
  const quotas = [anAccount(), anAccount()];
  const servers = Array.from({ length: 4 }, aServer);
  const granted = await Promise.all(
    servers.flatMap((server) =>
      Array.from({ length: 5 }, (_group, place) =>
        server.reserve(
          (place % 2 === 0 ? quotas : quotas.toReversed()).map((quota) => ({ quota, traces: 70 })),
        ),
      ),
    ),
  );
  for (const quota of quotas) {
    const sum = granted.reduce((total, group) => total + (group.get(quota.accountId)?.traces ?? 0), 0);
    expect(sum).toBe(1050);
    expect(await used(quota)).toBe(1050);
  }
});

/** Events that can happen to servers that count in the same month, and to the traces they store. */
type Event =
  | {
      readonly what: 'reserve' | 'fail' | 'crash before storing' | 'crash after storing';
      readonly traces: number;
    }
  | { readonly what: 'reconcile' | 'time passes' };
const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    what: fc.constantFrom('reserve', 'fail', 'crash before storing', 'crash after storing'),
    traces: fc.integer({ min: 1, max: 400 }),
  }),
  fc.record({ what: fc.constantFrom('reconcile', 'time passes') }),
);

test("after any failures and crashes, the month's count equals the number of stored traces in the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(events, { maxLength: 12 }), async (sequence) => {
      const quota = { ...anAccount(), periodAnchor: clock.now() };
      let server = aServer();
      let stored = 0;
      const happen = async (event: Event) => {
        if (!('traces' in event))
          return event.what === 'reconcile' ? server.reconcile(soon()) : clock.advance(1000);
        const reservation = await reserveOne(server, quota, event.traces);
        expect(reservation.used).toBeLessThanOrEqual(1050);
        if (event.what === 'reserve' || event.what === 'crash after storing') {
          if (reservation.traces > 0) await store(reservation, reservation.traces);
          stored += reservation.traces;
        }
        if (event.what === 'reserve') server.commit([reservation.id]);
        else if (event.what === 'fail') server.release([reservation.id]);
        else server = aServer();
      };
      for (const event of sequence) {
        await happen(event);
        const now = (await used(quota)) ?? 0;
        expect(now).toBeGreaterThanOrEqual(stored);
        expect(now).toBeLessThanOrEqual(1050);
      }
      await server.reconcile(soon());
      expect((await used(quota)) ?? 0).toBe(stored);
    }),
    { numRuns: repetitions({ usually: 3, thoroughly: 200 }) },
  );
});
