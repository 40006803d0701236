import { AlertPayload, type Finding, INSIGHT_CHECK_MINUTES } from '@throughline/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AlertScene, startAlertScene } from './fixtures/scene.ts';

let scene: AlertScene;
beforeAll(async () => {
  scene = await startAlertScene();
});
afterEach(() => scene.reset());
afterAll(() => scene.stop());

const finding = (id: string, more: Partial<Finding> = {}) =>
  ({
    id,
    kind: 'newError',
    title: `Insight ${id}`,
    detail: '',
    severity: 'high',
    service: 'shop',
    endpoint: { method: 'POST', path: '/orders' },
    since: scene.clock.now().toISOString(),
    requestCount: 1,
    userCount: 0,
    traces: {},
    exampleTraceIds: [],
    evidence: { message: 'no rate', userCount: 1, lastOccurrence: scene.clock.now().toISOString() },
    ...more,
  }) as Finding;

const payloads = () => scene.recipient.received.map(({ body }) => AlertPayload.parse(JSON.parse(body)));
/** Lists the event and the insight's title of each message that was sent. */
const announced = () => payloads().map(({ event, incident }) => [event, incident?.insight?.title]);
const isOpen = async () => (await scene.service.list(scene.projectId)).rules[0]?.openIncidents;
/** Advances the clock by the interval between two checks of a rule about insights. */
const passOneCheck = () => scene.pass(INSIGHT_CHECK_MINUTES + 1);

async function startRule(more: object = {}) {
  await scene.create({ kind: 'insight', severity: 'medium', webhookUrl: scene.recipient.url, ...more });
  scene.startOne();
  await scene.pass(1);
}

test('an insight is reported once when it appears and once when it disappears, although each check finds it again', async () => {
  await startRule();
  scene.listed.insights = [finding('a')];
  await passOneCheck();
  await passOneCheck();
  expect(announced()).toEqual([['firing', 'Insight a']]);
  expect(payloads()[0]).toMatchObject({
    title: 'Alert: New insight of medium or high severity',
    rule: { kind: 'insight', severity: 'medium', threshold: null, minutes: null },
    incident: { value: null, error: null, insight: { id: 'a', service: 'shop', severity: 'high' } },
    url: expect.stringMatching(/\/analytics\?project=[\w-]+&from=.+T00%3A00%3A00\.000Z&to=.+&tab=insights$/),
  });
  expect(await isOpen()).toBe(1);
  scene.listed.insights = [];
  await passOneCheck();
  expect(announced()).toEqual([
    ['firing', 'Insight a'],
    ['recovered', 'Insight a'],
  ]);
  expect(await isOpen()).toBe(0);
});

test('an incident in the list contains the time at which its insight was found, which is later than the time at which the incident began', async () => {
  await startRule();
  const since = new Date(scene.clock.now().getTime() - 86_400_000).toISOString();
  scene.listed.insights = [finding('a', { since })];
  const before = Date.now();
  await passOneCheck();
  const { incidents } = await scene.incidents();
  expect(incidents[0]).toMatchObject({ openedAt: since, insight: { id: 'a' } });
  // The ids of incidents contain the real time, not the time of the test's clock.
  const foundMs = Date.parse(incidents[0]?.insight?.foundAt ?? '');
  expect(foundMs).toBeGreaterThanOrEqual(before);
  expect(foundMs).toBeLessThanOrEqual(Date.now());
});

test('insights that existed before the rule are open incidents that send no message at their start or end', async () => {
  scene.listed.insights = [finding('old')];
  await startRule();
  expect(await isOpen()).toBe(1);
  scene.listed.insights = [finding('old'), finding('new')];
  await passOneCheck();
  expect(announced()).toEqual([['firing', 'Insight new']]);
  scene.listed.insights = [finding('new')];
  await passOneCheck();
  expect(announced()).toEqual([['firing', 'Insight new']]);
  expect(await isOpen()).toBe(1);
});

test('only insights of the rule’s severity or higher, about the rule’s endpoint, are reported', async () => {
  await startRule({ endpoint: 'POST /orders' });
  scene.listed.insights = [
    finding('low', { severity: 'low' }),
    finding('medium', { severity: 'medium' }),
    finding('elsewhere', { endpoint: { method: 'GET', path: '/orders' } }),
    finding('nowhere', { endpoint: null }),
  ];
  await passOneCheck();
  expect(announced()).toEqual([['firing', 'Insight medium']]);
});

test('an insight is reported only once if three servers check the rule', async () => {
  await startRule();
  scene.startOne();
  scene.startOne();
  scene.listed.insights = [finding('a')];
  await passOneCheck();
  expect(announced()).toEqual([['firing', 'Insight a']]);
});

test('if the rule’s severity is changed, open incidents end without a message', async () => {
  const { rule } = await scene.create({
    kind: 'insight',
    severity: 'low',
    webhookUrl: scene.recipient.url,
  });
  scene.startOne();
  await scene.pass(1);
  scene.listed.insights = [finding('a', { severity: 'low' })];
  await passOneCheck();
  await scene.update(rule.id, { kind: 'insight', severity: 'high' });
  await passOneCheck();
  expect(announced()).toEqual([['firing', 'Insight a']]);
  expect(await isOpen()).toBe(0);
});

test('after a server update that changes the ids of insights, an insight that was reported under its earlier id is not reported again, but an insight about a function that failed later is reported', async () => {
  await startRule();
  scene.listed.insights = [finding('of the message')];
  await passOneCheck();
  const ofMessage = (id: string, fromMs: number) => ({
    ...finding(id),
    earlier: { id: 'of the message', fromMs },
  });
  scene.listed.insights = [ofMessage('first function', 0)];
  await passOneCheck();
  expect(announced()).toEqual([['firing', 'Insight of the message']]);
  expect(await isOpen()).toBe(1);
  // The ids of incidents contain the real time, not the time of the test's clock. `fromMs` is later than the stored incident, so this
  // insight is not the reported one.
  scene.listed.insights = [ofMessage('later function', Date.now() + 60_000)];
  await passOneCheck();
  expect(announced().toSorted()).toEqual([
    ['firing', 'Insight later function'],
    ['firing', 'Insight of the message'],
    ['recovered', 'Insight of the message'],
  ]);
});
