import { type ChangePreview, type Invoice, PLANS, type Subscription } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Actor } from '../audit/index.ts';
import { describeSubscription } from './documents/describe.ts';
import { buildInvoicePdf } from './documents/invoice-pdf.ts';
import type { Used } from './documents/used.ts';
import { buildPreview, type Choice, findPricingInstant, validatePlanChange } from './plan-change.ts';
import { isLocal, type Outcome, type PaymentProvider, type Reported } from './provider.ts';
import { chooseProvider, chooseProviderForChange, findShownProvider, type Providers } from './providers.ts';
import { isDue, type Reconciler } from './reconciler.ts';
import { describeInvoice } from './sandbox/sandbox.ts';
import {
  countProjects,
  countSeats,
  findSandboxInvoices,
  findSubscription,
  lockSubscription,
  type Payer,
  type SubscriptionRow,
  shiftSubscription,
  updateSubscription,
} from './store.ts';
import type { SubscriptionState } from './subscription.ts';
import { toState } from './subscription-mapper.ts';
import type { QueriedSubscription, SubscriptionWriter } from './subscription-writer.ts';

/** A choice of plan, and the time of the preview that showed its cost. */
type ConfirmedChoice = Choice & { readonly pricedAt?: string | undefined };

export type Changed = { subscription: Subscription } | { checkoutUrl: string };

/** Actions of owners and solo users on their subscription. */
export interface BillingService {
  read(payer: Payer): Promise<Subscription>;
  choose(payer: Payer, choice: ConfirmedChoice, actor: Actor): Promise<Changed>;
  preview(payer: Payer, choice: Choice): Promise<ChangePreview>;
  cancel(payer: Payer, actor: Actor): Promise<Subscription>;
  reactivate(payer: Payer, actor: Actor): Promise<Subscription>;
  pay(payer: Payer, actor: Actor): Promise<Changed>;
  invoices(payer: Payer): Promise<Invoice[]>;
  /** @throws AppError `not_found` */
  invoicePdf(payer: Payer, id: string): Promise<Buffer>;
  portalUrl(payer: Payer): Promise<string>;
  jump(payer: Payer, payment: 'succeeds' | 'fails'): Promise<Subscription>;
}

/** Maximum number of attempts to make a change, because other changes of the same subscription can interfere. */
const TRIES = 8;

export function createBillingService(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly subscriptionWriter: SubscriptionWriter;
  readonly reconciler: Reconciler;
  readonly providers: Providers;
  readonly testClock: boolean;
  readonly readMonth: (payer: Payer) => Promise<Pick<Used, 'traces' | 'month'>>;
}): BillingService {
  const { clock, subscriptionWriter, reconciler, providers } = deps;
  const { db } = deps.control;

  const find = async (payer: Payer): Promise<SubscriptionRow> => {
    const row = await findSubscription(db, payer);
    if (row === undefined) throw new AppError('not_found');
    return row;
  };
  /**
   * Returns the subscription's current row. Before that, stores the changes that are due by now, and the result of a checkout that was
   * begun.
   */
  const current = async (payer: Payer): Promise<SubscriptionRow> => {
    const row = await find(payer);
    const due = isDue(row, clock.now());
    if (row.checkoutRef === null && !due) return row;
    // An external provider reports renewals by messages. Querying it on each read would make this server as slow as the provider.
    if (row.checkoutRef === null && !isLocal(row.provider)) await subscriptionWriter.applyDueEvents(row.id);
    else await reconciler.reconcileAccount(row.id).catch(() => subscriptionWriter.applyDueEvents(row.id));
    return find(payer);
  };
  const beginRequest = async (payer: Payer): Promise<QueriedSubscription> => {
    const found = await subscriptionWriter.beginRequest((await current(payer)).id);
    if (found === undefined) throw new AppError('not_found');
    return found;
  };
  const countUsed = async (tx: ControlDb, payer: Payer) => ({
    members: await countSeats(tx, payer, clock.now()),
    projects: await countProjects(tx, payer),
  });
  const describe = async (payer: Payer, row: SubscriptionRow): Promise<Subscription> =>
    describeSubscription(
      row,
      { ...(await countUsed(db, payer)), ...(await deps.readMonth(payer)) },
      {
        now: clock.now(),
        provider: findShownProvider(providers, row),
        chosenBy: chooseProviderForChange(providers, row).kind === 'operator' ? 'operator' : 'account',
        testClock: deps.testClock,
      },
    );
  const read = async (payer: Payer) => describe(payer, await current(payer));

  /**
   * Calls the provider and stores its result. If another change interferes, a local provider is called again, up to `TRIES` times in total,
   * and an external provider is queried for the outcome.
   */
  const act = async (
    payer: Payer,
    actor: Actor,
    callProvider: (
      queried: QueriedSubscription,
    ) => Promise<{ provider: PaymentProvider; outcome: Outcome } | undefined>,
  ): Promise<Changed> => {
    const { id } = await current(payer);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const queried = await subscriptionWriter.beginRequest(id);
      if (queried === undefined) throw new AppError('not_found');
      const done = await callProvider(queried);
      if (done === undefined) return { subscription: await read(payer) };
      const { provider, outcome } = done;
      if (outcome.kind === 'redirect') {
        await subscriptionWriter.storeProviderData(id, provider.kind, outcome.providerData);
        return { checkoutUrl: outcome.url };
      }
      const applied = await subscriptionWriter.apply(queried, { provider: provider.kind, outcome, actor });
      const again = applied.kind === 'stale' && isLocal(provider.kind);
      if (again) continue;
      if (applied.kind === 'stale') await reconciler.reconcileAccount(id);
      return { subscription: await read(payer) };
    }
    throw new AppError('payment_unavailable', 'This subscription is being changed. Try again.', {
      retryAfterSeconds: 1,
    });
  };
  const report = async (
    payer: Payer,
    actor: Actor,
    ask: (provider: PaymentProvider, queried: QueriedSubscription) => Promise<Reported>,
  ) => {
    const changed = await act(payer, actor, async (queried) => {
      const provider = chooseProvider(providers, queried.row);
      return { provider, outcome: await ask(provider, queried) };
    });
    return 'subscription' in changed ? changed.subscription : read(payer);
  };
  const weighed = async (payer: Payer, state: SubscriptionState, choice: Choice) =>
    validatePlanChange(choice, { kind: payer.kind, state, held: await countUsed(db, payer) });

  const cancel: BillingService['cancel'] = (payer, actor) =>
    report(payer, actor, (provider, { paying }) => {
      const { state } = paying;
      const isSet = state.status === 'active' && state.next.kind === 'end';
      if (isSet) throw new AppError('subscription_state', 'The subscription is already set to end.');
      if (state.status !== 'active' && state.status !== 'past_due')
        throw new AppError('subscription_state', 'There is no paid subscription to cancel.');
      return provider.cancel(paying);
    });

  const reactivate: BillingService['reactivate'] = (payer, actor) =>
    report(payer, actor, (provider, { paying }) => {
      const { state } = paying;
      if (state.status !== 'active' || state.next.kind === 'renewal')
        throw new AppError(
          'subscription_state',
          'Only a subscription that is set to end or to change can be continued.',
        );
      return provider.reactivate(paying);
    });

  return {
    read,
    cancel,
    reactivate,
    choose: (payer, choice, actor) =>
      act(payer, actor, async ({ row, paying }) => {
        const { state } = paying;
        const { terms, effect } = await weighed(payer, state, choice);
        const isEnding = state.status === 'active' && state.next.kind === 'end';
        if (effect === 'none') {
          // Choosing the current plan again cancels a scheduled change or end.
          if (state.status !== 'active' || state.next.kind === 'renewal') return undefined;
          const provider = chooseProvider(providers, row);
          return { provider, outcome: await provider.reactivate(paying) };
        }
        if (PLANS[terms.plan].price === 0) {
          const provider = chooseProvider(providers, row);
          return isEnding ? undefined : { provider, outcome: await provider.cancel(paying) };
        }
        const provider = chooseProviderForChange(providers, row);
        const at = findPricingInstant(choice.pricedAt, state, clock.now());
        return { provider, outcome: await provider.choose(paying, terms, effect, at) };
      }),
    async preview(payer, choice) {
      const { row, paying } = await beginRequest(payer);
      if (chooseProviderForChange(providers, row).kind === 'operator') throw new AppError('plan_by_operator');
      const choosing = await weighed(payer, paying.state, choice);
      const now = clock.now();
      const cost = () => chooseProviderForChange(providers, row).preview(paying, choosing.terms, now);
      return buildPreview(choosing, { state: paying.state, now, cost });
    },
    pay: (payer, actor) =>
      act(payer, actor, async ({ row, paying }) => {
        if (paying.state.status !== 'past_due')
          throw new AppError('subscription_state', 'There is nothing to pay.');
        const provider = chooseProvider(providers, row);
        return { provider, outcome: await provider.pay(paying) };
      }),
    async invoices(payer) {
      const { row, paying } = await beginRequest(payer);
      return findShownProvider(providers, row).invoices(paying);
    },
    async invoicePdf(payer, id) {
      const row = await find(payer);
      const invoice = (await findSandboxInvoices(db, row.id)).find((one) => one.id === id);
      if (invoice === undefined) throw new AppError('not_found');
      return buildInvoicePdf(describeInvoice(invoice, toState(row)));
    },
    async portalUrl(payer) {
      const { row, paying } = await beginRequest(payer);
      return findShownProvider(providers, row).portalUrl(paying);
    },
    async jump(payer, payment) {
      const { id } = await current(payer);
      await db.transaction(async (tx) => {
        const row = await lockSubscription(tx, id);
        if (row === undefined) throw new AppError('not_found');
        if (row.provider !== 'sandbox' || !['trialing', 'active', 'past_due'].includes(row.status))
          throw new AppError(
            'subscription_state',
            'The test clock can only move sandbox subscriptions that have not ended.',
          );
        const until =
          row.status === 'past_due' && payment === 'fails' ? row.accessEndsAt : row.currentPeriodEnd;
        await shiftSubscription(tx, row, Math.max(0, until.getTime() - clock.now().getTime()));
        await updateSubscription(tx, id, { sandboxDeclines: payment === 'fails' });
      });
      await reconciler.reconcileAccount(id);
      return read(payer);
    },
  };
}
