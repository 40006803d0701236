import { routes } from '@throughline/contract';
import {
  createFakeClock,
  makeProject,
  type Person,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { subscriptions } from '../../../platform/control-store/index.ts';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  const env = { NODE_ENV: 'production', HOST: '127.0.0.1', RATE_LIMITS: 'on' };
  server = await startServer({ clock, env });
});
afterAll(() => server.stop());

const { account, auth, billing, orgs, userBilling } = routes;
const BY_OPERATOR = { status: 403, code: 'plan_by_operator' };

let organizations = 0;
async function foundOrganization() {
  organizations += 1;
  const slug = `operated-${organizations}`;
  const password = 'correct horse';
  const email = `${slug}@test.example`;
  const body = { name: 'Olga', email, password, organizationName: 'Operated', organizationSlug: slug };
  const { token, organization } = await server.anyone.call(auth.registerOrganization, { body });
  return { client: server.as(token), slug, params: { id: organization?.id ?? '' } };
}
const soloPlan = async ({ client }: Person) => (await client.call(userBilling.subscription, {})).subscription;

describe('in production without Stripe', () => {
  test('upgrades, price previews and card payments are refused, and the error refers to the operator', async () => {
    const person = await signUp(server);
    const { client } = person;
    const { client: owner, params } = await foundOrganization();
    const calls = [
      client.call(userBilling.changePlan, { body: { plan: 'starter' } }),
      client.call(userBilling.previewPlan, { query: { plan: 'starter' } }),
      client.call(userBilling.portal, {}),
      owner.call(billing.changeOrganizationPlan, { params, body: { plan: 'enterprise_plus' } }),
      owner.call(billing.previewOrganizationPlan, { params, query: { plan: 'enterprise_plus' } }),
    ];
    for (const refused of await Promise.all(calls.map(refusal))) expect(refused).toMatchObject(BY_OPERATOR);
    expect(await soloPlan(person)).toMatchObject({
      plan: 'free_trial',
      nextPayment: null,
      payment: { provider: 'operator', chosenBy: 'operator', label: null, portal: false, testClock: false },
    });
    expect((await client.call(userBilling.invoices, {})).invoices).toEqual([]);
  });

  test('a plan that the operator assigns to an organization applies immediately and is in the audit log', async () => {
    const { client, slug, params } = await foundOrganization();
    const invite = (email: string) => client.call(orgs.invite, { params, body: { email } });
    expect(await refusal(invite('one@test.example'))).toMatchObject({ code: 'plan_limit' });
    const message = await server.app.setPlan({ organization: slug, plan: 'pro' });
    expect(message).toBe(`${slug} has the plan Pro.`);
    await invite('one@test.example');
    const { subscription } = await client.call(billing.organizationSubscription, { params });
    expect(subscription).toMatchObject({
      plan: 'pro',
      status: 'active',
      nextPayment: null,
      payment: { provider: 'operator', chosenBy: 'operator' },
    });
    const { entries } = await client.call(routes.audit.list, { params });
    const changes = () => entries.filter(({ action }) => action === 'subscription.plan_changed');
    expect(changes()).toMatchObject([{ target: 'Free Trial to Pro', actor: null, address: 'command line' }]);
    // Setting the same plan again changes nothing.
    await server.app.setPlan({ organization: slug, plan: 'pro' });
    expect((await client.call(routes.audit.list, { params })).entries).toEqual(entries);
  });

  test('a plan from the operator renews automatically, without an invoice, until the operator removes the plan', async () => {
    const person = await signUp(server);
    await server.app.setPlan({ email: person.email.toUpperCase(), plan: 'solo_developer' });
    clock.advance(100 * DAY_MS);
    const again = server.as((await logInAgain(person)).token);
    const read = async () => (await again.call(userBilling.subscription, {})).subscription;
    const given = await read();
    expect(given).toMatchObject({ plan: 'solo_developer', status: 'active' });
    expect(Date.parse(given.currentPeriodEnd)).toBeGreaterThan(clock.now().getTime());
    expect((await again.call(userBilling.invoices, {})).invoices).toEqual([]);
    expect(await refusal(again.call(userBilling.cancel, {}))).toMatchObject(BY_OPERATOR);
    await server.app.setPlan({ email: person.email, plan: 'free_trial' });
    expect(await read()).toMatchObject({ plan: 'free_trial', endedPlan: 'solo_developer' });
  });

  test('an account with a plan from the operator can be deleted without cancelling the plan', async () => {
    const person = await signUp(server);
    await server.app.setPlan({ email: person.email, plan: 'starter' });
    await person.client.call(account.remove, {});
  });

  test('a plan that the sandbox stored earlier stays valid: the user can cancel it, but cannot change it to a larger plan', async () => {
    const person = await signUp(server);
    await server.app.setPlan({ email: person.email, plan: 'starter' });
    await server.app.control.db
      .update(subscriptions)
      .set({ provider: 'sandbox' })
      .where(eq(subscriptions.userId, person.user.id as never));
    expect(await soloPlan(person)).toMatchObject({
      plan: 'starter',
      payment: { provider: 'sandbox', chosenBy: 'operator' },
    });
    const body = { plan: 'solo_developer' };
    expect(await refusal(person.client.call(userBilling.changePlan, { body }))).toMatchObject(BY_OPERATOR);
    await person.client.call(userBilling.cancel, {});
    expect(await soloPlan(person)).toMatchObject({ cancelAtPeriodEnd: true });
  });

  test.each([
    [{ plan: 'pro' }, 'validation_failed', 'Name the account with --organization or --email.'],
    [{ organization: 'a', email: 'b', plan: 'pro' }, 'validation_failed', 'Name the account'],
    [{ organization: 'operated-1', plan: 'gold' }, 'validation_failed', '--plan must be one of free_trial, '],
    [{ organization: 'nowhere', plan: 'pro' }, 'not_found', 'No organization has the slug nowhere.'],
    [{ email: 'x@test.example', plan: 'starter' }, 'not_found', 'No solo account has the address'],
    [{ email: 'operated-1@test.example', plan: 'pro' }, 'not_found', '--organization'],
    [{ organization: 'operated-1', plan: 'starter' }, 'plan_not_available', 'not a plan for organizations'],
  ])('the operator gets an error with the reason for %j', async (assignment, code, message) => {
    const refused = server.app.setPlan(assignment);
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('the operator cannot assign a plan that is too small for the current usage', async () => {
    const person = await signUp(server);
    await server.app.setPlan({ email: person.email, plan: 'solo_developer' });
    for (const name of ['a', 'b', 'c']) await makeProject(person, name);
    await expect(server.app.setPlan({ email: person.email, plan: 'starter' })).rejects.toMatchObject({
      code: 'plan_limit',
      message: 'Starter includes 2 projects, and you have 3 projects. Remove 1 project first.',
    });
  });
});

async function logInAgain({ email, password }: Person) {
  const answer = await server.anyone.call(auth.login, { body: { email, password } });
  if (!('token' in answer)) throw new Error('no second factor was set up');
  return answer;
}
