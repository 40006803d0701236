import { createHash } from 'node:crypto';
import { type Finding, type NewFindingDecision, routes } from '@throughline/contract';
import { createFakeClock, startServer, type TestServer } from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SentError, startErrorScene } from '../errors/fixtures/error-scene.ts';

const HOUR_MS = 3_600_000;
const DAYS = 10;
const MESSAGE = "Cannot read properties of undefined (reading 'id')";
const TAX = { function: 'taxFor', file: 'src/tax.ts' };
const PRICE = { function: 'priceOf', file: 'src/price.ts' };
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
/** Builds the id that a finding had in the version in which all errors with the same message shared one finding. */
const earlierId = (...parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

const clock = createFakeClock(new Date());
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

async function aScene() {
  const scene = await startErrorScene(server);
  const { client } = scene.person;
  const { id } = scene.project;
  const clockHoursAgo = (hours: number) => hours + (Date.now() - clock.now().getTime()) / HOUR_MS;
  const send = async (...sent: readonly SentError[]) => {
    const all = sent.map((one) => ({ ...one, hoursAgo: clockHoursAgo(one.hoursAgo ?? 1) }));
    for (let at = 0; at < all.length; at += 400) await scene.send(...all.slice(at, at + 400));
  };
  return {
    ...scene,
    send,
    read: async () => (await client.call(routes.analytics.insights, { params: { id } })).insights,
    decide: (findingId: string, body: NewFindingDecision) =>
      client.call(routes.analytics.decideInsight, { params: { id, findingId }, body }),
    countTraces: async ({ traces }: Finding) =>
      (await client.call(routes.traces.list, { query: { ...traces, limit: '500' } as never })).total,
  };
}

const times = (count: number, sent: SentError) =>
  Array.from({ length: count }, (_, at) => ({ ...sent, hoursAgo: (sent.hoursAgo ?? 1) + at / 1000 }));
const listNew = (findings: readonly Finding[]) =>
  findings.flatMap(({ kind, service, evidence, requestCount }) =>
    kind === 'newError' ? [[evidence.errorId, service, requestCount]] : [],
  );

test('each new error of the Errors page is an insight with the same id and the same requests', async () => {
  const { send, read, list, countTraces } = await aScene();
  await send(
    ...times(60, { hoursAgo: DAYS * 24 }),
    ...times(60, { hoursAgo: DAYS * 24, service: 'billing' }),
    ...times(3, { hoursAgo: DAYS * 24 - 1, message: MESSAGE, thrownIn: TAX }),
    ...times(4, { message: MESSAGE, thrownIn: TAX }),
    ...times(5, { message: MESSAGE, thrownIn: PRICE }),
    ...times(6, { message: MESSAGE, service: 'billing' }),
    // The service `carts` had no earlier requests, so its usual errors are unknown, and this error is not reported as new.
    ...times(7, { message: MESSAGE, service: 'carts' }),
  );
  const { findings } = await read();
  const errors = await list({ days: '7', state: 'all' });
  const ofPrice = errors.find(({ thrownBy }) => thrownBy?.function === 'priceOf');
  const ofBilling = errors.find(({ service }) => service === 'billing');
  expect(listNew(findings)).toEqual([
    [ofBilling?.id, 'billing', 6],
    [ofPrice?.id, 'shop', 5],
  ]);
  expect(ofPrice?.splitFrom).toBe(md5(`shop\n${MESSAGE}`));
  expect(findings.find(({ service }) => service === 'shop')?.detail).toContain(
    'TypeError in priceOf, src/price.ts.',
  );
  for (const finding of findings) expect(await countTraces(finding)).toBe(finding.requestCount);
});

test('an error that was known only in staging is new in production, with a link to the requests in production', async () => {
  const { send, read, list, countTraces } = await aScene();
  const [staging, production] = [{ environment: 'staging' }, { environment: 'production' }];
  const long = { hoursAgo: DAYS * 24 };
  await send(
    ...times(60, { ...long, ...staging }),
    ...times(60, { ...long, ...production }),
    ...times(5, { ...staging, hoursAgo: DAYS * 24 - 1, message: MESSAGE }),
    ...times(4, { ...production, message: MESSAGE }),
    ...times(6, { ...staging, message: MESSAGE }),
    // This environment had no earlier requests, so its usual errors are unknown.
    ...times(7, { environment: 'preview-17', message: MESSAGE }),
  );
  const { findings } = await read();
  const [error] = await list({ days: '7', state: 'all' });
  expect(findings.filter(({ kind }) => kind === 'newError')).toMatchObject([
    {
      title: `New error in production: ${MESSAGE}`,
      requestCount: 4,
      traces: { environment: 'production' },
      evidence: { errorId: error?.id, environment: 'production' },
    },
  ]);
  for (const finding of findings) expect(await countTraces(finding)).toBe(finding.requestCount);
});

test('a rare error that is known in production and occurs in staging for the first time by chance is no insight', async () => {
  const { send, read } = await aScene();
  const [staging, production] = [{ environment: 'staging' }, { environment: 'production' }];
  await send(
    ...times(100, { hoursAgo: DAYS * 24, ...staging }),
    ...times(100, { ...staging }),
    ...times(60, { hoursAgo: DAYS * 24, ...production }),
    ...times(5, { ...production, hoursAgo: DAYS * 24 - 1, message: MESSAGE }),
    ...times(3, { ...staging, message: MESSAGE }),
  );
  expect((await read()).findings.filter(({ kind }) => kind === 'newError')).toEqual([]);
});

test('an error that occurred nowhere before is one insight for all environments', async () => {
  const { send, read } = await aScene();
  const [staging, production] = [{ environment: 'staging' }, { environment: 'production' }];
  await send(
    ...times(60, { hoursAgo: DAYS * 24, ...staging }),
    ...times(60, { hoursAgo: DAYS * 24, ...production }),
    ...times(4, { ...production, message: MESSAGE }),
    ...times(6, { ...staging, message: MESSAGE }),
  );
  const { findings } = await read();
  expect(findings.filter(({ kind }) => kind === 'newError')).toMatchObject([
    { title: `New error: ${MESSAGE}`, requestCount: 10, evidence: { environment: null } },
  ]);
});

test('if a message was first thrown before functions were recorded, its error is new only in functions that first throw it more than a day after the first recorded function', async () => {
  const { send, read, list } = await aScene();
  await send(
    ...times(60, { hoursAgo: DAYS * 24 }),
    ...times(3, { hoursAgo: DAYS * 24 - 1, message: MESSAGE }),
    ...times(3, { hoursAgo: 30, message: MESSAGE, thrownIn: TAX }),
    ...times(4, { hoursAgo: 20, message: MESSAGE, thrownIn: PRICE }),
    ...times(5, { hoursAgo: 2, message: MESSAGE, thrownIn: { function: 'addFee' } }),
  );
  const { findings } = await read();
  const errors = await list({ days: '7', state: 'all' });
  const ofFee = errors.find(({ thrownBy }) => thrownBy?.function === 'addFee');
  expect(errors).toHaveLength(3);
  expect(listNew(findings)).toEqual([[ofFee?.id, 'shop', 5]]);
});

test('a decision that an earlier version stored about a message applies to the functions that had thrown the message by then, until the decision is cancelled', async () => {
  const { send, read, decide } = await aScene();
  const known = times(60, { hoursAgo: DAYS * 24 });
  await send(...known, ...times(3, { message: MESSAGE, thrownIn: TAX }));
  await decide(earlierId('newError', MESSAGE), { state: 'dismissed' });
  const before = await read();
  expect(listNew(before.findings)).toEqual([]);
  expect(before.hidden.map(({ finding }) => finding.kind)).toEqual(['newError']);
  clock.advance(2 * HOUR_MS);
  await send(...times(3, { message: MESSAGE, thrownIn: PRICE }));
  const after = await read();
  expect(after.findings.map(({ detail }) => detail)).toEqual([expect.stringContaining('priceOf')]);
  expect(after.hidden.map(({ finding }) => finding.id)).toEqual(
    before.hidden.map(({ finding }) => finding.id),
  );
  await decide(after.hidden[0]?.finding.id ?? '', { state: 'open' });
  const shown = await read();
  expect(shown.hidden).toEqual([]);
  expect(listNew(shown.findings)).toHaveLength(2);
});

test('a finding about a more frequent error counts only the requests of one function, and a decision of an earlier version still hides the finding', async () => {
  const { send, read, list, decide, countTraces } = await aScene();
  const quarters = DAYS * 24 * 4;
  const began = quarters - 30 * 4;
  const fails = (at: number) => (at < began ? at % 50 === 25 : at % 5 === 2);
  await send(
    ...Array.from({ length: quarters }, (_, at): SentError => {
      const hoursAgo = (quarters - at) / 4;
      if (at % 50 === 0) return { hoursAgo, message: MESSAGE, thrownIn: TAX };
      return fails(at) ? { hoursAgo, message: MESSAGE, thrownIn: PRICE } : { hoursAgo };
    }),
  );
  const { findings } = await read();
  const error = (await list({ days: '7', state: 'all' })).find(
    ({ thrownBy }) => thrownBy?.function === 'priceOf',
  );
  expect(error?.splitFrom).not.toBeNull();
  expect(findings).toMatchObject([
    {
      kind: 'changed',
      evidence: { signal: 'errorRate', part: { name: 'error', value: MESSAGE }, errorId: error?.id },
      traces: { errorIds: error?.id },
    },
  ]);
  for (const finding of findings) expect(await countTraces(finding)).toBe(finding.requestCount);
  const place = ['changed', 'errorRate', true, 'shop', '', 'POST', '/orders'];
  await decide(earlierId(...place, { name: 'error', value: MESSAGE }), { state: 'dismissed' });
  const { findings: left, hidden } = await read();
  expect(left).toEqual([]);
  expect(hidden.map(({ finding }) => finding.id)).toEqual(findings.map(({ id }) => id));
});
