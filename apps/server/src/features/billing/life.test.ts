import type { PlanId } from '@throughline/contract';
import { isThorough, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { planInForce } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createId, type UserId } from '../../platform/ids.ts';
import { describeSubscription } from './documents/describe.ts';
import { KEY, type Life, openLife } from './fixtures/life.ts';
import { startReconcileJob } from './reconcile-job.ts';
import { findSandboxInvoices, findSubscription, type Payer } from './store.ts';
import { computeAccessEnd } from './subscription.ts';
import { toState } from './subscription-mapper.ts';

const DAY_MS = 86_400_000;
const actor = { userId: createId<UserId>(), address: '127.0.0.1' };

/**
 * The system under test for one account. The Stripe double records what was paid; at the end, the server's state must match these payments.
 */
interface Real {
  readonly life: Life;
  readonly payer: Extract<Payer, { kind: 'solo' }>;
  /** URLs of checkout pages that were opened. */
  readonly pages: string[];
  /** Stripe's messages that are not delivered yet. They can arrive late, repeatedly, or never. */
  readonly post: { readonly id: string; readonly body: string }[];
}
type Model = Record<string, never>;
type Step = fc.AsyncCommand<Model, Real>;

const step = (name: string, run: (real: Real) => Promise<unknown>): Step => ({
  check: () => true,
  toString: () => name,
  async run(_model, real) {
    await run(real).catch((error: unknown) => {
      // A refusal is an AppError. Any other error must be the simulated crash.
      const isCrash = error instanceof Error && error.message === 'crash';
      if (!(error instanceof AppError) && !isCrash) throw error;
    });
    // Restarts the process after a crash.
    real.life.crash.next = false;
    real.post.push(...real.life.stripe.messages.splice(0));
    await holds(real);
  },
});

const readRow = async ({ life, payer }: Real) => {
  const row = await findSubscription(life.control.db, payer);
  if (row === undefined) throw new Error('the subscription is gone');
  return row;
};

/** Checks the invariants that must hold after every step. */
async function holds(real: Real): Promise<void> {
  const now = real.life.clock.now();
  const row = await readRow(real);
  const state = toState(row);
  expect(row.accessEndsAt).toEqual(computeAccessEnd(state));
  // There is no access after expiry, whether or not the expiry is stored yet.
  if (computeAccessEnd(state) <= now) expect(planInForce(row, now)).toBe('free_trial');
  // The displayed plan is the plan that is enforced.
  const used = { members: 1, projects: 0, traces: 0, month: { start: now, end: now } };
  const shown = describeSubscription(row, used, {
    now,
    provider: real.life.provider,
    chosenBy: 'account',
    testClock: false,
  });
  expect(shown.plan).toBe(planInForce(row, now));
  const isOn = shown.status === 'active' || shown.status === 'trialing' || shown.status === 'past_due';
  expect(isOn).toBe(row.accessEndsAt > now);
}

const choose = (plan: PlanId, billingCycle: 'monthly' | 'yearly') => (real: Real) =>
  real.life.service.choose(real.payer, { plan, billingCycle }, actor).then((changed) => {
    if ('checkoutUrl' in changed) real.pages.push(changed.checkoutUrl);
  });
const listStripeIds = ({ life, payer }: Real, id: string) =>
  [...life.stripe.subscriptions.values()].filter(
    ({ metadata }) => metadata.throughline_subscription === id && payer !== undefined,
  );
const passAll = async (real: Real) => {
  for (const { id } of listStripeIds(real, (await readRow(real)).id)) real.life.stripe.passPeriod(id);
};

const steps = [
  ...(['starter', 'solo_developer', 'free_trial'] as const).flatMap((plan) =>
    (['monthly', 'yearly'] as const).map((cycle) =>
      fc.constant(step(`choose ${plan} ${cycle}`, choose(plan, cycle))),
    ),
  ),
  fc.constant(step('cancel', ({ life, payer }) => life.service.cancel(payer, actor))),
  fc.constant(step('reactivate', ({ life, payer }) => life.service.reactivate(payer, actor))),
  fc.constant(step('pay again', ({ life, payer }) => life.service.pay(payer, actor))),
  fc.constant(
    step('pay at the last checkout', async ({ life, pages }) =>
      life.stripe.completeCheckout(pages.at(-1) ?? ''),
    ),
  ),
  fc.constant(
    step('pay at the first checkout', async ({ life, pages }) =>
      life.stripe.completeCheckout(pages[0] ?? ''),
    ),
  ),
  fc.constant(
    step('two choices at once', (real) =>
      Promise.all([choose('starter', 'monthly')(real), choose('solo_developer', 'monthly')(real)]),
    ),
  ),
  fc.nat().map((seed) =>
    step(`a message comes, and stays in the post (${seed})`, async (real) => {
      const message = real.post[seed % Math.max(1, real.post.length)];
      if (message === undefined) return;
      const { data } = JSON.parse(message.body) as {
        data: { object: { id: string; object: string; subscription?: string } };
      };
      const hint = data.object.object === 'subscription' ? data.object.id : data.object.subscription;
      if (hint === undefined) return;
      await real.life.reconciler.reconcileAccount((await readRow(real)).id, { messageId: message.id, hint });
    }),
  ),
  fc.constant(step('all messages are lost', async ({ post }) => void post.splice(0))),
  fc.integer({ min: 1, max: 40 }).map((days) =>
    step(`${days} days pass`, async (real) => {
      real.life.clock.advance(days * DAY_MS);
      await passAll(real);
    }),
  ),
  fc.boolean().map((declines) =>
    step(declines ? 'the card fails from now on' : 'the card is good', async ({ life }) => {
      life.stripe.state.declines = declines;
    }),
  ),
  fc.constant(
    step('what failed is paid at Stripe', async (real) => {
      for (const { id } of listStripeIds(real, (await readRow(real)).id)) real.life.stripe.payLate(id);
    }),
  ),
  fc.constant(step('the sweep', ({ life }) => life.reconciler.reconcileDue())),
  fc.constant(step('the daily comparison', ({ life }) => life.reconciler.reconcileAll())),
  fc.nat(3).map((which) =>
    step(`a crash while writing (${which})`, async (real) => {
      real.life.crash.next = true;
      const acts = [
        choose('starter', 'monthly'),
        choose('solo_developer', 'monthly'),
        ({ life, payer }: Real) => life.service.cancel(payer, actor),
        ({ life }: Real) => life.reconciler.reconcileAll(),
      ];
      await acts[which]?.(real);
    }),
  ),
];

const sequences = fc.commands(steps, { maxCommands: 25, size: 'max' });

async function live(life: Life, inTheEnd: (real: Real) => Promise<void>) {
  await fc.assert(
    fc.asyncProperty(sequences, async (commands) => {
      await life.beginAnew();
      const payer = await life.somebody();
      const real: Real = { life, payer, pages: [], post: [] };
      await fc.asyncModelRun(() => ({ model: {}, real }), commands);
      await inTheEnd(real);
    }),
    { numRuns: repetitions({ usually: 5, thoroughly: 400 }) },
  );
}

describe('paid with Stripe', () => {
  let life: Life;
  beforeAll(async () => {
    life = await openLife('stripe');
  });
  afterAll(() => life.close());

  test('a subscription matches its payments after any sequence of events', () =>
    live(life, async (real) => {
      await passAll(real);
      await life.reconciler.reconcileAll();
      await life.reconciler.reconcileDue();
      await life.reconciler.reconcileAll();
      const row = await readRow(real);
      const paid = listStripeIds(real, row.id).filter(({ status }) => status === 'active');
      // At most one subscription is paid, and every payment gives access.
      expect(paid.length).toBeLessThanOrEqual(1);
      expect(row.status === 'active').toBe(paid.length === 1);
      if (paid[0] !== undefined) expect(row.subscriptionRef).toBe(paid[0].id);
      // Refunds never exceed charges.
      for (const { id } of listStripeIds(real, row.id)) {
        const sums = life.stripe.charges.filter(({ subscription }) => subscription === id);
        expect(sums.reduce((total, { cents }) => total + cents, 0)).toBeGreaterThanOrEqual(0);
      }
    }));

  test("a webhook message that names another account's payment changes neither account's subscription", async () => {
    life.stripe.state.declines = false;
    const paying = async () => {
      const real: Real = { life, payer: await life.somebody(), pages: [], post: [] };
      await choose('starter', 'monthly')(real);
      return { real, paid: life.stripe.completeCheckout(real.pages[0] ?? '') };
    };
    const one = await paying();
    const other = await paying();
    const hint = other.paid?.id ?? '';
    await life.reconciler.reconcileAccount((await readRow(one.real)).id, { messageId: `evt_${hint}`, hint });
    expect((await readRow(one.real)).subscriptionRef).toBe(one.paid?.id);
    expect(life.stripe.subscriptions.get(hint)?.status).toBe('active');
  });

  test.runIf(isThorough())('a failed request to Stripe is logged without the secret key', async () => {
    const real = { life, payer: await life.somebody(), pages: [], post: [] };
    life.stripe.state.declines = false;
    await choose('starter', 'monthly')(real);
    life.stripe.completeCheckout(real.pages[0] ?? '');
    const { id } = await readRow(real);
    await life.reconciler.reconcileAccount(id);
    const failures = async () => [
      await choose('solo_developer', 'monthly')(real).catch((error: unknown) => error),
      await life.reconciler.reconcileAccount(id).catch((error: unknown) => error),
    ];
    life.stripe.state.declines = true;
    const [declined] = await failures();
    life.stripe.state.down = true;
    const [, down] = await failures();
    life.stripe.state.down = false;
    life.stripe.state.declines = false;
    life.logged.length = 0;
    for (const err of [declined, down]) {
      expect(err).toBeInstanceOf(AppError);
      life.log.error({ err }, 'it failed');
    }
    expect(life.logged).toHaveLength(2);
    expect(life.logged.join('')).not.toContain(KEY);
  });

  test('a payment whose webhook messages were lost is found at startup and once a day', async () => {
    const payUnheard = async () => {
      const payer = await life.somebody();
      const changed = await life.service.choose(payer, { plan: 'starter', billingCycle: 'monthly' }, actor);
      life.stripe.completeCheckout('checkoutUrl' in changed ? changed.checkoutUrl : '');
      life.stripe.messages.length = 0;
      return async () => (await findSubscription(life.control.db, payer))?.status;
    };
    life.stripe.state.declines = false;
    const before = await payUnheard();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const reconcileJob = startReconcileJob({ log: life.log, clock: life.clock, reconciler: life.reconciler });
    try {
      await expect.poll(before, { timeout: 60_000 }).toBe('active');
      const later = await payUnheard();
      vi.advanceTimersByTime(60_000);
      expect(await later()).toBe('trialing');
      life.clock.advance(DAY_MS);
      const laterByAMinute = () => {
        vi.advanceTimersByTime(60_000);
        return later();
      };
      await expect.poll(laterByAMinute, { timeout: 60_000 }).toBe('active');
    } finally {
      vi.useRealTimers();
      await reconcileJob.close();
    }
  });
});

describe('in the sandbox', () => {
  let life: Life;
  beforeAll(async () => {
    life = await openLife('sandbox');
  });
  afterAll(() => life.close());

  test("changes of a solo user's plan are in the operator's log, with their author", async () => {
    const real = { life, payer: await life.somebody(), pages: [], post: [] };
    life.logged.length = 0;
    await choose('starter', 'monthly')(real);
    await life.service.cancel(real.payer, actor);
    life.clock.advance(40 * DAY_MS);
    await life.reconciler.reconcileDue();
    const { id: subscription } = await readRow(real);
    const logged = life.logged.filter((line) => line.includes(subscription));
    expect(logged.map((line): unknown => JSON.parse(line))).toMatchObject([
      { subscription, payer: real.payer, event: 'subscribe', status: 'active', by: actor.userId },
      { subscription, event: 'cancel', status: 'active', by: actor.userId },
      { subscription, event: 'period_ends', status: 'cancelled', by: null },
    ]);
  });

  test('a change costs the amount shown in its preview if the preview is at most a quarter of an hour old', async () => {
    const { clock, control, service } = life;
    const upgraded = async (minutes: number) => {
      const payer = await life.somebody();
      await service.choose(payer, { plan: 'solo_developer' }, actor);
      clock.advance(10 * DAY_MS);
      const larger = { plan: 'solo_developer', billingCycle: 'yearly' } as const;
      const { at, dueAmount } = await service.preview(payer, larger);
      clock.advance(minutes * 60_000);
      await service.choose(payer, { ...larger, pricedAt: at }, actor);
      const row = await readRow({ life, payer, pages: [], post: [] });
      const amounts = (await findSandboxInvoices(control.db, row.id)).map(({ amount }) => amount);
      return { shown: Math.round(dueAmount * 100), charged: Math.max(...amounts) };
    };
    const inTime = await upgraded(15);
    expect(inTime.charged).toBe(inTime.shown);
    const late = await upgraded(16);
    expect(late.charged).not.toBe(late.shown);
  });

  test('every period is charged once, and every charge gives access', () =>
    live(life, async (real) => {
      await life.reconciler.reconcileDue();
      const row = await readRow(real);
      const invoices = await findSandboxInvoices(life.control.db, row.id);
      expect(invoices.every(({ amount }) => amount >= 0)).toBe(true);
      // Considers only invoices for whole periods: no two of them can be for the same time.
      const whole = invoices.filter(({ paid, description }) => paid && description.includes(' to '));
      const starts = whole.map(({ periodStart }) => periodStart.getTime());
      expect(new Set(starts).size).toBe(starts.length);
      if (row.status === 'active') expect(invoices.length).toBeGreaterThan(0);
    }));
});
