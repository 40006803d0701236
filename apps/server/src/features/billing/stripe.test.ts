import { type Client, routes } from '@throughline/contract';
import {
  createFakeClock,
  logIn,
  type Person,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { selectRawRows } from '../../platform/control-store/index.ts';
import { ADDRESS, startStripeDouble, VAT_ID } from './fixtures/stripe-double.ts';
import { signBody } from './stripe/signature.ts';

const { userBilling } = routes;
const SECRET = 'whsec_test_secret_1';
const KEY = 'sk_test_1234567890';
const DAY_MS = 86_400_000;

const clock = createFakeClock(new Date('2026-01-31T10:00:00Z'));
let stripe: Awaited<ReturnType<typeof startStripeDouble>>;
let server: TestServer;
beforeAll(async () => {
  stripe = await startStripeDouble(SECRET, clock);
  const env = { STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET: SECRET, STRIPE_API_BASE: stripe.url };
  server = await startServer({ clock, env });
});
afterAll(async () => {
  await server.stop();
  await stripe.close();
});
beforeEach(() => {
  stripe.state.declines = false;
  stripe.state.down = false;
  stripe.messages.length = 0;
});

const read = async (client: Client) => (await client.call(userBilling.subscription, {})).subscription;
const choose = (client: Client, plan: string) => client.call(userBilling.changePlan, { body: { plan } });
const deliverAll = async () => {
  const statuses = [];
  for (const message of stripe.messages.splice(0)) statuses.push(await stripe.deliver(server.url, message));
  return statuses;
};

/** Creates a user who pays for Starter, and delivers Stripe's messages about the payment. */
async function paying(): Promise<Person & { readonly ref: string }> {
  const person = await signUp(server);
  const { checkoutUrl = '' } = await choose(person.client, 'starter');
  const ref = stripe.completeCheckout(checkoutUrl)?.id ?? '';
  await deliverAll();
  return { ...person, ref };
}

describe('paying with Stripe', () => {
  test('begins at the checkout, and takes effect once Stripe reports the payment', async () => {
    const { client } = await signUp(server);
    const { checkoutUrl = '', subscription } = await choose(client, 'starter');
    expect(subscription).toBeUndefined();
    expect(checkoutUrl).toContain('https://checkout.stripe.test/pay/');
    expect((await read(client)).plan).toBe('free_trial');
    stripe.completeCheckout(checkoutUrl);
    expect(await deliverAll()).toEqual([200, 200, 200]);
    expect(await read(client)).toMatchObject({
      plan: 'starter',
      status: 'active',
      currentPeriodStart: '2026-01-31T10:00:00.000Z',
      currentPeriodEnd: '2026-02-28T10:00:00.000Z',
      payment: { provider: 'stripe', label: null, portal: true, testClock: false },
    });
    expect((await refusal(client.call(userBilling.jump, { body: {} }))).status).toBe(404);
    const { portalUrl } = await client.call(userBilling.portal, {});
    expect(portalUrl).toMatch(/^https:\/\/portal\.stripe\.test\/cus_/);
  });

  test('takes effect without webhooks, because the server queries Stripe after the checkout', async () => {
    const { client } = await signUp(server);
    const { checkoutUrl = '' } = await choose(client, 'starter');
    stripe.completeCheckout(checkoutUrl);
    expect(await read(client)).toMatchObject({ plan: 'starter', status: 'active' });
  });

  test('handles messages that arrive twice and in any order', async () => {
    const { client } = await signUp(server);
    const { checkoutUrl = '' } = await choose(client, 'starter');
    stripe.completeCheckout(checkoutUrl);
    const sent = stripe.messages.splice(0).reverse();
    for (const message of [...sent, ...sent]) expect(await stripe.deliver(server.url, message)).toBe(200);
    await Promise.all(sent.map((message) => stripe.deliver(server.url, message)));
    expect(await read(client)).toMatchObject({ plan: 'starter', status: 'active' });
  });

  test('leaves one active subscription after two checkouts, and credits the payment of the ended subscription', async () => {
    const { client } = await signUp(server);
    const first = (await choose(client, 'starter')).checkoutUrl ?? '';
    const second = (await choose(client, 'solo_developer')).checkoutUrl ?? '';
    // Opening the second page closed the first.
    expect(stripe.completeCheckout(first)).toBeUndefined();
    const one = stripe.completeCheckout(second);
    await deliverAll();
    expect(await read(client)).toMatchObject({ plan: 'solo_developer' });
    const customer = one?.customer;
    const live = [...stripe.subscriptions.values()].filter(
      (sub) => sub.customer === customer && sub.status === 'active',
    );
    expect(live).toHaveLength(1);
    if (one === undefined) throw new Error('the checkout was not open');
    // Adds another subscription, created by hand at Stripe, and sends a message about it.
    const stray = { ...one, id: 'sub_stray' };
    stripe.subscriptions.set(stray.id, stray);
    const body = JSON.stringify({
      id: 'evt_stray',
      object: 'event',
      type: 'customer.subscription.created',
      data: { object: { id: stray.id, object: 'subscription', metadata: stray.metadata } },
    });
    expect(await stripe.deliver(server.url, { id: 'evt_stray', body })).toBe(200);
    expect(stripe.subscriptions.get(stray.id)?.status).toBe('canceled');
    expect(stripe.charges.filter(({ subscription }) => subscription === stray.id)).toEqual([
      { subscription: stray.id, cents: -4900 },
    ]);
  });

  test('upgrades immediately after a preview of the cost, and charges a repeated request once', async () => {
    const { client, ref } = await paying();
    const { preview } = await client.call(userBilling.previewPlan, { query: { plan: 'solo_developer' } });
    expect(preview).toMatchObject({ takesEffect: 'now', dueAmount: 30 });
    await Promise.all([choose(client, 'solo_developer'), choose(client, 'solo_developer')]);
    expect(await read(client)).toMatchObject({ plan: 'solo_developer', status: 'active' });
    expect(
      stripe.charges.filter(({ subscription }) => subscription === ref).map(({ cents }) => cents),
    ).toEqual([1900, 3000]);
  });

  test('charges the previewed amount, even if some minutes pass until the confirmation', async () => {
    const { client, ref } = await paying();
    const charged = () => stripe.charges.filter(({ subscription }) => subscription === ref).at(-1)?.cents;
    await choose(client, 'solo_developer');
    clock.advance(3 * DAY_MS);
    const asked = { plan: 'solo_developer', billingCycle: 'yearly' } as const;
    const { preview } = await client.call(userBilling.previewPlan, { query: asked });
    clock.advance(14 * 60_000);
    const later = await client.call(userBilling.previewPlan, { query: asked });
    expect(later.preview.dueAmount).not.toBe(preview.dueAmount);
    await client.call(userBilling.changePlan, { body: { ...asked, pricedAt: preview.at } });
    expect(charged()).toBe(Math.round(preview.dueAmount * 100));
    expect(await read(client)).toMatchObject({ plan: 'solo_developer', billingCycle: 'yearly' });
  });

  test('changes nothing if the card is refused, or Stripe cannot be reached', async () => {
    const { client } = await paying();
    stripe.state.declines = true;
    expect(await refusal(choose(client, 'solo_developer'))).toMatchObject({
      status: 402,
      code: 'payment_failed',
      message: 'Your card was declined.',
    });
    stripe.state.down = true;
    expect(await refusal(choose(client, 'solo_developer'))).toMatchObject({
      status: 503,
      code: 'payment_unavailable',
    });
    expect((await refusal(client.call(userBilling.cancel, {}))).code).toBe('payment_unavailable');
    expect(await read(client)).toMatchObject({ plan: 'starter', status: 'active', cancelAtPeriodEnd: false });
    // Requests the same plan once the card works.
    stripe.state.declines = false;
    stripe.state.down = false;
    await choose(client, 'solo_developer');
    expect(await read(client)).toMatchObject({ plan: 'solo_developer' });
  });

  test('lets a user schedule a smaller plan, cancel, and reactivate; a cancelled subscription ends with the period', async () => {
    const { client, ref } = await paying();
    await choose(client, 'solo_developer');
    await choose(client, 'starter');
    expect(await read(client)).toMatchObject({ plan: 'solo_developer', nextPlan: { plan: 'starter' } });
    await client.call(userBilling.cancel, {});
    expect(await read(client)).toMatchObject({ cancelAtPeriodEnd: true, nextPlan: null });
    await client.call(userBilling.reactivate, {});
    expect(await read(client)).toMatchObject({ cancelAtPeriodEnd: false, nextPlan: null });
    await client.call(userBilling.cancel, {});
    stripe.messages.length = 0;
    expect(stripe.subscriptions.get(ref)?.cancelAtPeriodEnd).toBe(true);
  });
});

describe('a webhook message', () => {
  const body = JSON.stringify({
    id: 'evt_x',
    type: 'x',
    data: { object: { id: 'sub_x', object: 'subscription' } },
  });
  test.each([
    ['unsigned', ''],
    ['signed by another', () => signBody(body, 'whsec_another_secret', clock.now())],
    ['signed long ago', () => signBody(body, SECRET, new Date(clock.now().getTime() - 301_000))],
    ['signed for another body', () => signBody(`${body} `, SECRET, clock.now())],
    ['with no time', () => signBody(body, SECRET, clock.now()).replace(/t=\d+,/, '')],
  ])('%s is refused', async (_what, signed) => {
    const header = typeof signed === 'string' ? signed : signed();
    expect(await stripe.deliver(server.url, { id: 'evt_x', body }, header)).toBe(400);
  });

  test('about an unknown account is accepted, and an invalid message is refused', async () => {
    expect(await stripe.deliver(server.url, { id: 'evt_x', body })).toBe(200);
    expect(await stripe.deliver(server.url, { id: 'evt_y', body: '{}' })).toBe(400);
  });
});

test('Stripe collects the address and the VAT id, and the server does not store them', async () => {
  const { client } = await paying();
  const checkout = stripe.asked.findLast(({ path }) => path === 'checkout/sessions')?.form;
  expect(checkout).toMatchObject({
    'tax_id_collection[enabled]': 'true',
    'customer_update[address]': 'auto',
  });
  expect(await read(client)).toMatchObject({ payment: { portal: true } });
  const { db } = server.app.control;
  const tables = await selectRawRows(
    db,
    z.object({ table_name: z.string() }),
    sql`select table_name from information_schema.tables where table_schema = 'public'`,
  );
  const kept = async (name: string) =>
    JSON.stringify(await selectRawRows(db, z.unknown(), sql`select * from ${sql.identifier(name)}`));
  // Stripe's customer id is the only stored data about the payer.
  expect(await kept('subscriptions')).toContain('cus_');
  for (const { table_name } of tables) {
    const all = await kept(table_name);
    expect(all.includes(ADDRESS) || all.includes(VAT_ID), table_name).toBe(false);
  }
});

test('the secret key is sent to Stripe only in a header', () => {
  expect(stripe.asked.length).toBeGreaterThan(10);
  expect(stripe.asked.every(({ authorization }) => authorization === `Bearer ${KEY}`)).toBe(true);
  expect(stripe.asked.some(({ path, key }) => `${path} ${key}`.includes(KEY))).toBe(false);
});

test('a failed renewal leads to seven days of grace, then to the end of access or to a late payment', async () => {
  const [lost, saved] = [await paying(), await paying()];
  for (const { ref } of [lost, saved]) {
    stripe.state.declines = true;
    clock.set(new Date((stripe.subscriptions.get(ref)?.end ?? 0) * 1000));
    stripe.passPeriod(ref);
  }
  await deliverAll();
  const again = async ({ email, password }: Person) => (await logIn(server, email, password)).client;
  expect(await read(await again(lost))).toMatchObject({ plan: 'starter', status: 'past_due' });
  stripe.payLate(saved.ref);
  await deliverAll();
  expect(await read(await again(saved))).toMatchObject({ plan: 'starter', status: 'active' });
  clock.advance(8 * DAY_MS);
  expect(await read(await again(lost))).toMatchObject({
    plan: 'free_trial',
    status: 'expired',
    endedPlan: 'starter',
  });
});
