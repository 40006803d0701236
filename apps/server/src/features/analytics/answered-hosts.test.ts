import { routes } from '@throughline/contract';
import { aTrace, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';

const file = serverOfFile();
const HOUR_MS = 3_600_000;
const DAY_START_MS = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS - 24 * HOUR_MS;
const toHex = (id: number, digits: number) => id.toString(16).padStart(digits, '0');

/** Builds requests of the shop that each call a host, and the requests of the service that responds there. */
function buildCalls(first: number, count: number, hour: number, host: string) {
  const ids = Array.from({ length: count }, (_, at) => first + at);
  const start = (id: number) => new Date(DAY_START_MS + hour * HOUR_MS + (id - first) * 1000).toISOString();
  const build = (id: number, spanId: number, more: object) =>
    aTrace({
      ...{ traceId: toHex(id, 32), spanId: toHex(spanId, 16) },
      timing: { startTime: start(id), duration: 50 },
      ...more,
    });
  return {
    callers: ids.map((id) => {
      const metadata = { spanId: toHex(0x100000 + id, 16) };
      const call = {
        stepId: '1',
        stepName: `POST ${host}/charges`,
        stepType: 'http' as const,
        duration: 4,
        metadata,
      };
      return build(id, id, { flow: [{ ...call, startTime: start(id) }] });
    }),
    called: ids.map((id) => build(id, 0x200000 + id, { parentSpanId: toHex(0x100000 + id, 16), flow: [] })),
  };
}

test('for each hour of a day with many calls, the service that responds at a host is found, whichever hour is requested first', async () => {
  const { owner } = await makeOrganization(file.server, 'enterprise_plus');
  const { id, apiKey } = await makeProject(owner);
  const send = async (service: string, calls: ReturnType<typeof buildCalls>) => {
    await sendTraces(file.server, apiKey, calls.callers, { name: 'shop' });
    await sendTraces(file.server, apiKey, calls.called, { name: service });
  };
  // At most 100 calls of each pair of services are examined. The three pairs of this test have 300 examined calls, the minimum
  // (`MANY_CALLS`) for which the hosts are cached.
  await send('payments', buildCalls(1000, 110, 10, 'localhost:4001'));
  await send('stock', buildCalls(2000, 110, 10, 'localhost:4002'));
  await send('rates', buildCalls(3000, 110, 10, 'localhost:4003'));
  await send('mail', buildCalls(4000, 5, 14, 'localhost:5001'));
  const readHosts = async (hour: number) => {
    const toIso = (hours: number) => new Date(DAY_START_MS + hours * HOUR_MS).toISOString();
    const query = { startDate: toIso(hour), endDate: toIso(hour + 1), timeZone: 'UTC' };
    const { flows } = await owner.client.call(routes.analytics.flows, { params: { id }, query });
    return flows.dependencies.map(({ name, answeredBy }) => [name, ...answeredBy]).sort();
  };
  expect(await readHosts(10)).toEqual([
    ['localhost:4001', 'payments'],
    ['localhost:4002', 'stock'],
    ['localhost:4003', 'rates'],
  ]);
  expect(await readHosts(14)).toEqual([['localhost:5001', 'mail']]);
});
