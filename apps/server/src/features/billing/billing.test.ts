import { type Client, routes, type Subscription } from '@throughline/contract';
import {
  aTrace,
  awaitMail,
  join,
  makeOrganization,
  makeProject,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const { billing, userBilling } = routes;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const read = async (client: Client) => (await client.call(userBilling.subscription, {})).subscription;
const choose = (client: Client, plan: string, billingCycle?: 'monthly' | 'yearly') =>
  client.call(userBilling.changePlan, {
    body: { plan, ...(billingCycle === undefined ? {} : { billingCycle }) },
  });
const jump = async (client: Client, payment: 'succeeds' | 'fails' = 'succeeds') =>
  (await client.call(userBilling.jump, { body: { payment } })).subscription;
const amounts = async (client: Client) =>
  (await client.call(userBilling.invoices, {})).invoices.map(({ amount, status }) => [amount, status]);
const countDays = ({ currentPeriodStart, currentPeriodEnd }: Subscription) =>
  Math.round((Date.parse(currentPeriodEnd) - Date.parse(currentPeriodStart)) / 86_400_000);

describe('the plans', () => {
  test("are offered for the user's kind of account, and a year costs as much as ten months", async () => {
    const { client } = await signUp(server);
    const { plans } = await client.call(userBilling.plans, {});
    expect(plans.map(({ id, price }) => [id, price.monthly, price.yearly])).toEqual([
      ['free_trial', 0, 0],
      ['starter', 19, 190],
      ['solo_developer', 49, 490],
    ]);
    const others = (await client.call(billing.plans, {})).plans;
    expect(others.map(({ id }) => id)).toEqual(['free_trial', 'pro', 'enterprise_basic', 'enterprise_plus']);
    expect(others[3]?.features).toContain('AI insights');
  });

  test('of the other kind of account cannot be chosen, and neither can an unknown plan or billing cycle', async () => {
    const { client } = await signUp(server);
    expect(await refusal(choose(client, 'pro'))).toMatchObject({ status: 400, code: 'plan_not_available' });
    expect(await refusal(choose(client, 'gold'))).toMatchObject({ code: 'validation_failed' });
    const cycle = client.call(userBilling.changePlan, {
      body: { plan: 'starter', billingCycle: 'weekly' as 'monthly' },
    });
    expect(await refusal(cycle)).toMatchObject({ message: 'Billing cycle must be monthly or yearly' });
  });
});

describe('a solo user', () => {
  test('begins with a trial, and pays the difference for an upgrade', async () => {
    const { client } = await signUp(server);
    const trial = await read(client);
    expect(trial).toMatchObject({
      plan: 'free_trial',
      status: 'trialing',
      nextPayment: null,
      usage: {
        teamMembers: { used: 1, limit: 1 },
        projects: { used: 0, limit: 1 },
        traces: { used: 0, limit: 1000 },
      },
      payment: { provider: 'sandbox', label: 'Sandbox – no card is charged', portal: false, testClock: true },
    });
    expect(countDays(trial)).toBe(7);
    const { preview } = await client.call(userBilling.previewPlan, { query: { plan: 'starter' } });
    expect(preview).toMatchObject({ takesEffect: 'now', dueAmount: 19, price: 19, billingCycle: 'monthly' });
    await choose(client, 'starter');
    const starter = await read(client);
    expect(starter).toMatchObject({ plan: 'starter', status: 'active', nextPayment: { amount: 19 } });
    const raised = await client.call(userBilling.previewPlan, { query: { plan: 'solo_developer' } });
    // The period has just begun, so the full difference between the two prices is due: 49 - 19.
    expect(raised.preview).toMatchObject({ takesEffect: 'now', dueAmount: 30 });
    await choose(client, 'solo_developer');
    const larger = await read(client);
    expect(larger).toMatchObject({ plan: 'solo_developer', currentPeriodEnd: starter.currentPeriodEnd });
    await choose(client, 'solo_developer', 'yearly');
    expect(await read(client)).toMatchObject({ billingCycle: 'yearly', nextPayment: { amount: 490 } });
    expect(await amounts(client)).toEqual([
      [441, 'paid'],
      [30, 'paid'],
      [19, 'paid'],
    ]);
    const { invoices } = await client.call(userBilling.invoices, {});
    const pdf = await client.open(userBilling.invoicePdf, { params: { invoiceId: invoices[0]?.id ?? '' } });
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(await pdf.text()).toMatch(/^%PDF-1\.4[\s\S]*\$441\.00[\s\S]*%%EOF/);
  });

  test('who downgrades keeps the plan until the next period, and can undo the downgrade', async () => {
    const { client } = await signUp(server);
    await choose(client, 'solo_developer');
    const { preview } = await client.call(userBilling.previewPlan, { query: { plan: 'starter' } });
    expect(preview).toMatchObject({ takesEffect: 'at_period_end', dueAmount: 19 });
    await choose(client, 'starter');
    expect(await read(client)).toMatchObject({
      plan: 'solo_developer',
      nextPlan: { plan: 'starter', billingCycle: 'monthly' },
      nextPayment: { amount: 19 },
    });
    await client.call(userBilling.reactivate, {});
    expect((await read(client)).nextPlan).toBeNull();
    await choose(client, 'starter');
    expect(await jump(client)).toMatchObject({ plan: 'starter', status: 'active', nextPlan: null });
    expect(await amounts(client)).toEqual([
      [19, 'paid'],
      [49, 'paid'],
    ]);
    expect(await refusal(client.call(userBilling.reactivate, {}))).toMatchObject({
      status: 409,
      code: 'subscription_state',
    });
  });

  test('who cancels keeps the plan until the end of the paid period, and can subscribe again', async () => {
    const person = await signUp(server);
    const { client } = person;
    expect((await refusal(client.call(userBilling.cancel, {}))).code).toBe('subscription_state');
    await choose(client, 'starter');
    expect((await client.call(userBilling.cancel, {})).subscription).toMatchObject({
      plan: 'starter',
      status: 'active',
      cancelAtPeriodEnd: true,
      nextPayment: null,
    });
    expect((await refusal(client.call(userBilling.cancel, {}))).code).toBe('subscription_state');
    expect((await client.call(userBilling.reactivate, {})).subscription.cancelAtPeriodEnd).toBe(false);
    await client.call(userBilling.cancel, {});
    const { apiKey } = await makeProject(person);
    expect(await jump(client)).toMatchObject({
      plan: 'free_trial',
      status: 'cancelled',
      endedPlan: 'starter',
    });
    expect((await send(apiKey)).status).toBe(402);
    expect((await refusal(choose(client, 'free_trial'))).message).toContain('can be used once');
    await choose(client, 'starter');
    expect(await read(client)).toMatchObject({ plan: 'starter', status: 'active', endedPlan: null });
    // The new plan takes effect immediately, although the API key's project was cached a moment ago.
    expect((await send(apiKey)).status).toBe(200);
  });

  test('whose trial ends can still read, cannot send traces, and receives a mail', async () => {
    const person = await signUp(server);
    const { apiKey } = await makeProject(person);
    expect(await jump(person.client)).toMatchObject({
      plan: 'free_trial',
      status: 'expired',
      endedPlan: null,
    });
    expect((await send(apiKey)).status).toBe(402);
    expect((await person.client.call(routes.projects.list, {})).projects).toHaveLength(1);
    await awaitMail(server, person.email, 'trial has ended');
    const { usage } = await person.client.call(routes.usage.read, {});
    expect(usage.notices.map(({ kind }) => kind)).toEqual(['trial_ended']);
  });

  test.runIf(isThorough())(
    'whose payment fails loses the plan after seven days without payment',
    async () => {
      const person = await signUp(server);
      const { client } = person;
      await choose(client, 'starter');
      const { apiKey } = await makeProject(person);
      const late = await jump(client, 'fails');
      expect(late).toMatchObject({ plan: 'starter', status: 'past_due', nextPayment: { amount: 19 } });
      expect(Date.parse(late.graceEndsAt ?? '') - Date.parse(late.currentPeriodEnd)).toBe(7 * 86_400_000);
      expect((await send(apiKey)).status).toBe(200);
      await awaitMail(server, person.email, 'payment for Starter failed');
      expect(await amounts(client)).toEqual([
        [19, 'open'],
        [19, 'paid'],
      ]);
      expect((await refusal(choose(client, 'solo_developer'))).message).toContain('Pay first');
      await client.call(userBilling.pay, {});
      const paid = await read(client);
      expect(paid).toMatchObject({ plan: 'starter', status: 'active', graceEndsAt: null });
      expect(paid.currentPeriodStart).toBe(late.currentPeriodEnd);
      expect([paid.usagePeriodStart, paid.usagePeriodEnd]).toEqual([
        paid.currentPeriodStart,
        paid.currentPeriodEnd,
      ]);
      expect(await amounts(client)).toEqual([
        [19, 'paid'],
        [19, 'void'],
        [19, 'paid'],
      ]);
      expect((await refusal(client.call(userBilling.pay, {}))).code).toBe('subscription_state');
      await jump(client, 'fails');
      expect(await jump(client, 'fails')).toMatchObject({
        plan: 'free_trial',
        status: 'expired',
        endedPlan: 'starter',
      });
      expect((await send(apiKey)).status).toBe(402);
      expect((await client.call(routes.usage.read, {})).usage.notices.map(({ kind }) => kind)).toEqual([
        'plan_ended',
      ]);
    },
  );

  test.each([
    ['monthly', 19, 49],
    ['yearly', 190, 490],
  ] as const)(
    'who changes to a smaller plan and whose %s payment fails owes the price of the smaller plan',
    async (cycle, small, large) => {
      const { client } = await signUp(server);
      await choose(client, 'solo_developer', cycle);
      await choose(client, 'starter', cycle);
      expect(await jump(client, 'fails')).toMatchObject({
        plan: 'solo_developer',
        status: 'past_due',
        nextPlan: { plan: 'starter', billingCycle: cycle },
        nextPayment: { amount: small },
      });
      expect(await amounts(client)).toEqual([
        [small, 'open'],
        [large, 'paid'],
      ]);
      await client.call(userBilling.pay, {});
      expect(await read(client)).toMatchObject({ plan: 'starter', billingCycle: cycle, status: 'active' });
      expect(await amounts(client)).toEqual([
        [small, 'paid'],
        [small, 'void'],
        [large, 'paid'],
      ]);
    },
  );

  test('is charged once, even if the same request is repeated quickly', async () => {
    const { client } = await signUp(server);
    await Promise.all(Array.from({ length: 8 }, () => choose(client, 'starter')));
    expect(await amounts(client)).toEqual([[19, 'paid']]);
    await Promise.all(
      (['solo_developer', 'starter', 'solo_developer'] as const).map((plan) => choose(client, plan)),
    );
    expect((await amounts(client)).filter(([amount]) => amount === 30)).toHaveLength(1);
  });

  test('at a plan limit, gets an error that names a larger plan, and can continue after the upgrade', async () => {
    const person = await signUp(server);
    await makeProject(person, 'one');
    const full = await refusal(makeProject(person, 'two'));
    expect(full).toMatchObject({
      status: 403,
      code: 'plan_limit',
      message: 'Free Trial includes 1 project, and 1 is used. Upgrade to Starter for 2 projects.',
      details: { upgradeRequired: true, gate: 'projects', limit: 1, used: 1, upgradeTo: 'starter' },
    });
    await choose(person.client, 'starter');
    await makeProject(person, 'two');
  });
});

describe('an organization', () => {
  test('is billed to its owner, and changes of billing are in its audit log with their author', async () => {
    const { owner, organization } = await makeOrganization(server);
    const params = { id: organization.id };
    await owner.client.call(billing.changeOrganizationPlan, { params, body: { plan: 'enterprise_basic' } });
    await owner.client.call(billing.changeOrganizationPlan, { params, body: { plan: 'pro' } });
    await owner.client.call(billing.reactivateOrganization, { params });
    await owner.client.call(billing.cancelOrganization, { params });
    await owner.client.call(billing.jumpOrganization, { params, body: {} });
    const { entries } = await owner.client.call(routes.audit.list, { params });
    const changes = entries.filter(({ action }) => action.startsWith('subscription.'));
    expect(changes.map(({ action, target, actor }) => [action, target, actor?.email])).toEqual([
      ['subscription.ended', 'Enterprise Basic', undefined],
      ['subscription.cancelled', 'Enterprise Basic', owner.email],
      ['subscription.reactivated', 'Enterprise Basic', owner.email],
      ['subscription.change_scheduled', 'Pro (monthly)', owner.email],
      ['subscription.plan_changed', 'Pro to Enterprise Basic', owner.email],
      ['subscription.plan_changed', 'Free Trial to Pro', owner.email],
    ]);
  });

  test('cannot choose a plan too small for its usage, nor grow beyond a scheduled plan', async () => {
    const { owner, organization } = await makeOrganization(server);
    const params = { id: organization.id };
    const plan = (id: string) =>
      owner.client.call(billing.changeOrganizationPlan, { params, body: { plan: id } });
    await plan('enterprise_basic');
    for (let made = 0; made < 6; made += 1) await makeProject(owner, `p${made}`);
    const small = await refusal(plan('pro'));
    expect(small).toMatchObject({
      code: 'plan_limit',
      message: 'Pro includes 5 projects, and you have 6 projects. Remove 1 project first.',
    });
    const { projects } = await owner.client.call(routes.projects.list, {});
    await owner.client.call(routes.projects.remove, { params: { id: projects[0]?.id ?? '' } });
    await plan('pro');
    expect(await refusal(makeProject(owner, 'more'))).toMatchObject({
      message: expect.stringContaining('Keep Enterprise Basic for unlimited projects.'),
      details: { gate: 'projects', limit: 5 },
    });
  });

  test('does not show its billing to its admins, and its owner has no billing as a solo user', async () => {
    const { owner, organization } = await makeOrganization(server);
    const admin = await join(server, owner, organization, 'admin');
    const params = { id: organization.id };
    expect((await refusal(admin.client.call(billing.organizationInvoices, { params }))).status).toBe(403);
    expect((await refusal(owner.client.call(userBilling.subscription, {}))).status).toBe(403);
  });

  test('cannot be created by a user whose solo subscription renews', async () => {
    const { client } = await signUp(server);
    await choose(client, 'starter');
    const found = () => client.call(routes.orgs.create, { body: { name: 'New', slug: `new-${Date.now()}` } });
    expect(await refusal(found())).toMatchObject({
      code: 'cancel_subscription_first',
      message: 'Cancel your own subscription before you join or create an organization.',
    });
    await client.call(userBilling.cancel, {});
    await found();
  });
});

async function send(apiKey: string): Promise<Response> {
  return fetch(`${server.url}/api/ingest/traces`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ traces: [aTrace()] }),
  });
}
