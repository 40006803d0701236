import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { prepareProgram } from '@throughline/testkit/foreign-programs';
import { repetitions } from '@throughline/testkit/thorough';
import { expect, type TestContext, test } from 'vitest';
import { createId } from '../../platform/ids.ts';
import { computeFirstPeriod } from './proration.ts';
import type { ProviderSubscription } from './provider.ts';
import { createStripeClient } from './stripe/client.ts';
import { createStripePrices } from './stripe/prices.ts';
import { createStripeProvider } from './stripe/provider.ts';
import { Customer } from './stripe/shapes.ts';
import { createStripeSubscriptions } from './stripe/subscriptions.ts';
import type { SubscriptionState } from './subscription.ts';

/** `npm test` uses installed tools only; the long tests download missing ones. */
const mayFetch = repetitions({ usually: 0, thoroughly: 1 }) > 0;

/**
 * Starts Stripe's own mock server. It refuses routes, parameters and versions that Stripe's API description does not have, and stores
 * nothing.
 */
async function startStripeMock(context: TestContext) {
  const folder = join(import.meta.dirname, 'fixtures', 'stripe-mock');
  const program = await prepareProgram({ folder, language: 'go', mayFetch });
  if ('missing' in program) return context.skip(program.missing);
  const child = spawn(program.command, program.args, {
    env: program.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
  });
  const settings = {
    secretKey: 'sk_test_123',
    webhookSecret: 'whsec_unused_1',
    apiBase: await readAddress(child.stdout),
  };
  const client = createStripeClient(settings);
  // The mock's example subscription has a price that the product did not create, so `termsOf` returns fixed terms instead.
  const prices = { idOf: createStripePrices(client).idOf, termsOf: async () => terms };
  const subscriptions = createStripeSubscriptions({ client, prices });
  const publicUrl = () => 'https://throughline.example';
  return {
    client,
    subscriptions,
    provider: createStripeProvider({ client, prices, subscriptions, publicUrl }),
  };
}

async function readAddress(said: Readable): Promise<string> {
  for await (const line of createInterface(said)) if (line.startsWith('http://')) return line;
  throw new Error('stripe-mock ended before it listened');
}

const terms = { plan: 'starter', cycle: 'monthly' } as const;
const larger = { plan: 'solo_developer', cycle: 'yearly' } as const;
const now = new Date('2026-11-22T00:00:00Z');
const period = computeFirstPeriod(new Date('2026-11-01T00:00:00Z'), 'monthly');
const active: SubscriptionState = { status: 'active', terms, period, next: { kind: 'renewal' } };
const paying = (
  state: SubscriptionState,
  refs: Partial<ProviderSubscription> = {},
): ProviderSubscription => ({
  id: createId(),
  kind: 'solo',
  state,
  version: 1,
  ticket: 1,
  customerRef: null,
  subscriptionRef: null,
  checkoutRef: null,
  declines: false,
  contact: { email: 'ada@test.example', name: 'Ada' },
  ...refs,
});
const known = { customerRef: 'cus_1', subscriptionRef: 'sub_1' };

test('every request to Stripe is valid in the requested version of its API, and every response can be read', async (context) => {
  const { client, subscriptions, provider } = await startStripeMock(context);
  const trial = paying({ status: 'trialing', period });
  const begun = await provider.choose(trial, terms, 'now', now);
  expect(begun).toMatchObject({
    kind: 'redirect',
    providerData: { customerRef: expect.stringMatching(/^cus_/) },
  });
  expect((await provider.preview(trial, larger, now)).due).toBe(49_000);

  const paid = paying(active, known);
  for (const effect of ['now', 'at_period_end'] as const)
    expect(await provider.choose(paid, larger, effect, now)).toMatchObject({
      kind: 'report',
      report: { status: 'paid' },
    });
  expect((await provider.preview(paid, larger, now)).lines.length).toBeGreaterThan(0);
  expect((await provider.cancel(paid)).report.status).toBe('paid');
  expect((await provider.reactivate(paid)).report.status).toBe('paid');
  const unpaid = paying({ ...active, status: 'past_due', since: period.end }, known);
  expect((await provider.cancel(unpaid)).report).toEqual({ status: 'ended', isRequested: true });
  expect(await provider.pay(unpaid)).toMatchObject({ url: expect.stringContaining('https://') });
  // The mock's example invoice is a draft, which the product does not list.
  expect(await provider.invoices(paid)).toEqual([]);
  expect(await provider.fetchState(paying(active, { ...known, checkoutRef: 'cs_1' }))).toMatchObject({
    kind: 'report',
  });

  const found = await subscriptions.find('sub_1');
  if (found === undefined) throw new Error('there is no such subscription');
  // A plan change and an end are already scheduled. The new change must cancel both first.
  const waiting = { ...found, schedule: 'sub_sched_1', cancel_at_period_end: true };
  await subscriptions.changeLater(waiting, larger, 'key');
  await subscriptions.expireSession('cs_1');
  await subscriptions.endNow('sub_1', 'credit-what-was-paid');

  // Checks that the mock does validate requests.
  const nonsense = {
    method: 'POST',
    path: 'customers',
    fields: { shoe_size: 43 },
    answer: Customer,
  } as const;
  await expect(client.call(nonsense)).rejects.toMatchObject({ code: 'payment_unavailable' });
});
