import { type BodyOf, MAX_ALERT_RULES, MAX_ALERT_TESTS, routes } from '@throughline/contract';
import {
  aTrace,
  confirmAddress,
  join,
  makeOrganization,
  makeProject,
  refusal,
  sendTraces,
  signUp,
} from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Recipient, startRecipient } from './fixtures/recipients.ts';

const file = serverOfFile({ env: { ALERT_PRIVATE_TARGETS: 'on' } });
let recipient: Recipient;
beforeAll(async () => {
  recipient = await startRecipient();
});
afterAll(() => recipient.kill());

type Body = BodyOf<typeof routes.alerts.create>;
const HOOK = 'https://hooks.example/services/secret';

async function startScene() {
  const { owner: person, organization } = await makeOrganization(file.server, 'enterprise_plus');
  const project = await makeProject(person);
  const params = { id: project.id };
  const { client } = person;
  return {
    person,
    organization,
    project,
    list: () => client.call(routes.alerts.list, { params }),
    create: (body: Body) => client.call(routes.alerts.create, { params, body }),
    update: (ruleId: string, body: Body) =>
      client.call(routes.alerts.update, { params: { ...params, ruleId }, body }),
    remove: (ruleId: string) => client.call(routes.alerts.remove, { params: { ...params, ruleId } }),
    sendTest: (ruleId: string) => client.call(routes.alerts.test, { params: { ...params, ruleId } }),
    deliveries: async () => (await client.call(routes.alerts.deliveries, { params })).deliveries,
    incidents: async () => (await client.call(routes.alerts.incidents, { params })).incidents,
  };
}

describe('a rule', () => {
  test('shows neither its webhook URLs nor its secret after it was created', async () => {
    const { create, update, list } = await startScene();
    const made = await create({ kind: 'new_error', webhookUrl: HOOK, slackUrl: HOOK });
    expect(made.secret).toMatch(/^whsec_[\w-]{43}$/);
    const { rules } = await list();
    expect(rules).toMatchObject([
      {
        webhook: 'https://hooks.example/…',
        slack: 'https://hooks.example/…',
        firingSince: null,
        quietNow: false,
      },
    ]);
    expect(JSON.stringify(rules)).not.toMatch(/secret|whsec/);
    const kept = await update(made.rule.id, { kind: 'new_error', slackUrl: null });
    expect(kept).toMatchObject({ secret: null, rule: { webhook: 'https://hooks.example/…', slack: null } });
    const renewed = await update(made.rule.id, { kind: 'new_error', renewSecret: true });
    expect(renewed.secret).toMatch(/^whsec_/);
    expect(renewed.secret).not.toBe(made.secret);
  });

  test.each<[string, Body, string]>([
    ['without a recipient', { kind: 'new_error' }, 'people'],
    ['of a rate without a threshold', { kind: 'error_rate', minutes: 5, webhookUrl: HOOK }, 'threshold'],
    [
      'of a rate above 100 %',
      { kind: 'error_rate', threshold: 101, minutes: 5, webhookUrl: HOOK },
      'threshold',
    ],
    ['without minutes', { kind: 'no_traffic', webhookUrl: HOOK }, 'minutes'],
    ['of insights without a severity', { kind: 'insight', webhookUrl: HOOK }, 'severity'],
    [
      'with a filter that has a mistake',
      { kind: 'p95', threshold: 9, minutes: 5, filter: 'rout:/checkout', webhookUrl: HOOK },
      'filter',
    ],
    [
      'with a filter that its kind cannot apply',
      { kind: 'new_error', filter: 'step:charge', webhookUrl: HOOK },
      'filter',
    ],
    ['with an invalid URL', { kind: 'new_error', webhookUrl: 'file:///etc/passwd' }, 'webhookUrl'],
    [
      'with a password in its URL',
      { kind: 'new_error', webhookUrl: 'https://a:b@hooks.example' },
      'webhookUrl',
    ],
    [
      'with an unknown time zone',
      {
        kind: 'new_error',
        webhookUrl: HOOK,
        quietHours: { from: '22:00', until: '07:00', timeZone: 'Mars/Olympus' },
      },
      'quietHours.timeZone',
    ],
  ])('%s is refused, and the error names the field', async (_what, body, path) => {
    const { create } = await startScene();
    expect(await refusal(create(body))).toMatchObject({
      code: 'validation_failed',
      details: { fields: [{ path }] },
    });
  });

  test('about insights is refused on a plan without insights', async () => {
    const { owner } = await makeOrganization(file.server, 'pro');
    const { id } = await makeProject(owner);
    const body: Body = { kind: 'insight', severity: 'high', webhookUrl: HOOK };
    const create = (kind: Body) => owner.client.call(routes.alerts.create, { params: { id }, body: kind });
    expect(await refusal(create(body))).toMatchObject({
      code: 'plan_limit',
      details: { gate: 'insights', upgradeRequired: true },
    });
    const { rule } = await create({ kind: 'new_error', webhookUrl: HOOK });
    const params = { id, ruleId: rule.id };
    expect(await refusal(owner.client.call(routes.alerts.update, { params, body }))).toMatchObject({
      code: 'plan_limit',
    });
  });

  test('sends emails only to current members with a confirmed address', async () => {
    const { create, person, organization, sendTest, list, deliveries } = await startScene();
    const stranger = await signUp(file.server);
    const rule = (people: string[]): Body => ({ kind: 'new_error', people });
    expect(await refusal(create(rule([stranger.user.id])))).toMatchObject({ code: 'validation_failed' });
    const unconfirmed = await refusal(create(rule([person.user.id])));
    expect(unconfirmed.message).toContain('is not confirmed');
    await confirmAddress(file.server, person.email);
    const member = await join(file.server, person, organization, 'developer');
    const made = await create(rule([person.user.id, member.user.id]));
    expect((await list()).people).toHaveLength(2);
    await person.client.call(routes.orgs.removeMember, {
      params: { id: organization.id, userId: member.user.id },
    });
    await sendTest(made.rule.id);
    expect((await deliveries()).map(({ target }) => target)).toEqual([person.email]);
  });

  test.runIf(isThorough())(
    `is refused above ${MAX_ALERT_RULES} rules per project, and a test above ${MAX_ALERT_TESTS} tests per hour`,
    async () => {
      const { create, sendTest } = await startScene();
      const { rule } = await create({ kind: 'new_error', webhookUrl: recipient.url });
      for (let count = 1; count < MAX_ALERT_RULES; count += 1)
        await create({ kind: 'new_error', webhookUrl: HOOK });
      expect(await refusal(create({ kind: 'new_error', webhookUrl: HOOK }))).toMatchObject({
        code: 'too_many_alerts',
        details: { limit: MAX_ALERT_RULES },
      });
      for (let count = 0; count < MAX_ALERT_TESTS; count += 1) await sendTest(rule.id);
      expect(await refusal(sendTest(rule.id))).toMatchObject({ code: 'too_many_requests' });
    },
  );

  test('is in the audit log when it is created, changed and deleted; deleting the rule also deletes its deliveries', async () => {
    const { create, update, remove, sendTest, deliveries, person, organization } = await startScene();
    const { rule } = await create({ kind: 'p95', threshold: 400, minutes: 5, webhookUrl: recipient.url });
    await sendTest(rule.id);
    await update(rule.id, { kind: 'p95', threshold: 500, minutes: 5, service: 'shop' });
    await remove(rule.id);
    expect(await refusal(remove(rule.id))).toMatchObject({ status: 404 });
    expect(await deliveries()).toEqual([]);
    const { entries } = await person.client.call(routes.audit.list, { params: { id: organization.id } });
    expect(entries.slice(0, 3).map(({ action, target }) => [action, target])).toEqual([
      ['project.alert_deleted', expect.stringContaining('P95 above 500 ms for 5 min, shop')],
      ['project.alert_changed', expect.stringContaining('P95 above 500 ms for 5 min, shop')],
      ['project.alert_created', expect.stringContaining('P95 above 400 ms for 5 min')],
    ]);
  });
});

test('the error for a rule with an invalid filter names the position and suggests a fix, as for the filter of a list', async () => {
  const { create, person, project } = await startScene();
  const filter = 'status:5xx stauts:5xx';
  const { details } = await refusal(create({ kind: 'new_error', filter, webhookUrl: HOOK }));
  const query = { projectId: project.id, q: filter };
  const listed = await refusal(person.client.call(routes.traces.list, { query }));
  expect(details).toEqual({
    fields: [
      {
        path: 'filter',
        message: 'filter: Characters 12 to 17: Unknown field “stauts”. Did you mean “status”?',
      },
    ],
  });
  expect(listed.details).toEqual({
    fields: [
      { path: 'q', message: 'q: Characters 12 to 17: Unknown field “stauts”. Did you mean “status”?' },
    ],
  });
});

test('the filter of a rule is stored in the form in which lists show filters, and an empty filter removes the rule’s filter', async () => {
  const { create, update, list } = await startScene();
  const rule: Body = { kind: 'p95', threshold: 9, minutes: 5, webhookUrl: HOOK };
  const made = await create({ ...rule, filter: ' -instance:"w3"  ROUTE:/checkout ' });
  expect(made.rule.filter).toBe('route:/checkout -instance:w3');
  await update(made.rule.id, { ...rule, filter: '' });
  expect((await list()).rules).toMatchObject([{ filter: null }]);
});

test('a stored error is reported to the recipient only if the error is in the rule’s service and matches the rule’s filter', {
  timeout: 120_000,
}, async () => {
  const { create, project, deliveries, incidents, list } = await startScene();
  await create({ kind: 'new_error', service: 'shop', filter: 'status:5xx', webhookUrl: recipient.url });
  await create({ kind: 'new_error', service: 'billing', webhookUrl: recipient.url });
  await create({ kind: 'new_error', filter: '-error:"no rate"', webhookUrl: recipient.url });
  recipient.received.length = 0;
  const failed = aTrace({
    response: { statusCode: 500 },
    error: { hasError: true, errorMessage: 'no rate for order 17' },
    timing: { startTime: new Date().toISOString(), duration: 20 },
  });
  await sendTraces(file.server, project.apiKey, [failed], { name: 'shop' });
  await expect.poll(() => recipient.received.length, { timeout: 100_000 }).toBe(1);
  expect(JSON.parse(recipient.received[0]?.body ?? '')).toMatchObject({
    event: 'firing',
    incident: { error: { service: 'shop', message: 'no rate for order …' } },
  });
  await expect.poll(async () => (await deliveries())[0]?.state).toBe('sent');
  expect((await list()).rules).toMatchObject([
    { openIncidents: 1 },
    { openIncidents: 0 },
    { openIncidents: 0 },
  ]);
  expect(await incidents()).toMatchObject([
    {
      rule: { kind: 'new_error', service: 'shop', filter: 'status:5xx' },
      closedAt: null,
      peak: null,
      error: { service: 'shop', message: 'no rate for order …' },
      deliveries: [{ event: 'firing', channel: 'webhook', state: 'sent' }],
    },
  ]);
});

test.runIf(isThorough())(
  'the stats of a rule include only requests of the rule’s service, environment and endpoint',
  { timeout: 120_000 },
  async () => {
    const { create, project, list } = await startScene();
    const send = async (environment: string, path: string, failures: number, duration: number) => {
      const traces = Array.from({ length: 4 }, (_, index) =>
        aTrace({
          request: { method: 'POST', path, route: path },
          response: { statusCode: index < failures ? 500 : 200 },
          timing: { startTime: new Date(Date.now() - 10_000).toISOString(), duration },
        }),
      );
      await sendTraces(file.server, project.apiKey, traces, { name: 'shop', environment });
    };
    await send('production', '/orders', 1, 200);
    await send('production', '/quotes', 0, 900);
    await send('staging', '/orders', 4, 5000);
    const scope = { service: 'shop', environment: 'production', webhookUrl: HOOK, minutes: 60 };
    const rate = { ...scope, kind: 'error_rate' as const, threshold: 90 };
    await create({ ...rate, endpoint: 'POST /orders' });
    await create(rate);
    await create({ ...rate, environment: null });
    await create({ ...scope, kind: 'p95', threshold: 10_000, endpoint: 'POST /orders' });
    await create({ ...scope, kind: 'no_traffic' });
    await create({ ...scope, kind: 'no_traffic', service: 'billing' });
    const values = async () =>
      (await list()).rules.map(({ lastValue }) => lastValue && Math.round(lastValue));
    await expect.poll(values, { timeout: 100_000 }).toEqual([25, 13, 42, 200, 0, null]);
  },
);
