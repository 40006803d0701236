import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { Logger } from '../../platform/log.ts';
import { isLocal } from './provider.ts';
import type { Providers } from './providers.ts';
import { deletePaymentEventsBefore, findDue, findProvided, type SubscriptionRow } from './store.ts';
import { toState } from './subscription-mapper.ts';
import type { SubscriptionWriter } from './subscription-writer.ts';

/** Brings subscriptions in line with their providers and with the current time. */
export interface Reconciler {
  /** Queries one subscription's provider, and applies the changes that are due. */
  reconcileAccount(id: string, message?: Message): Promise<void>;
  /** Reconciles all subscriptions with a change that is due. Queries an external provider about a subscription at most once an hour. */
  reconcileDue(): Promise<void>;
  /**
   * Reconciles all subscriptions about which the provider of new payments can have newer data, because its messages can have been lost.
   * Does nothing if this provider is not external.
   */
  reconcileAll(): Promise<void>;
}

/** A provider's message: its id, and the subscription that it concerns. */
export interface Message {
  readonly messageId: string;
  readonly hint: string;
}

const HOUR_MS = 3_600_000;
const EVENTS_KEPT_MS = 60 * 24 * HOUR_MS;
/** The maximum number of periods that a subscription can be behind, for a server that was down for years. */
const MAX_PERIODS = 600;

export function createReconciler(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly subscriptionWriter: SubscriptionWriter;
  readonly providers: Providers;
}): Reconciler {
  const { clock, log, subscriptionWriter, providers } = deps;
  const { db } = deps.control;
  /** When an external provider was last queried about a subscription whose next period is due, in epoch ms. */
  const lastAskedMs = new Map<string, number>();

  /**
   * Queries the provider once and applies its report. Returns true if the provider must be queried again: the report was stale, or further
   * events can follow.
   */
  const ask = async (id: string, message: Message | undefined): Promise<boolean> => {
    const queried = await subscriptionWriter.beginRequest(id);
    if (queried === undefined) return false;
    // Queries the provider even if the subscription has ended, since a late payment can have arrived. Messages come only from the current
    // provider.
    const own = message === undefined ? providers.of(queried.row.provider) : undefined;
    const provider = own ?? providers.current;
    const outcome = await provider.fetchState(queried.paying, message?.hint);
    if (outcome === undefined) return false;
    const update = {
      provider: provider.kind,
      outcome,
      actor: null,
      ...(message === undefined ? {} : { messageId: message.messageId }),
    };
    const applied = await subscriptionWriter.apply(queried, update);
    if (applied.kind === 'stale') return true;
    const isOver = queried.row.status === 'expired' || queried.row.status === 'cancelled';
    // If the card works again later, the provider must not charge for a subscription that has ended.
    if (isOver && outcome.report.status === 'unpaid') await provider.cancel(queried.paying);
    return isLocal(provider.kind) && applied.events.length > 0;
  };

  const reconcileAccount: Reconciler['reconcileAccount'] = async (id, message) => {
    for (let periods = 0; periods < MAX_PERIODS; periods += 1) {
      if (!(await ask(id, message))) break;
    }
    const events = await subscriptionWriter.applyDueEvents(id);
    if (events.includes('grace_ends')) await ask(id, undefined);
  };

  const each = async (rows: readonly { readonly id: string }[]) => {
    for (const { id } of rows) {
      await reconcileAccount(id).catch(async (err: unknown) => {
        log.warn({ err, subscription: id }, 'a subscription could not be compared with the payment provider');
        await subscriptionWriter.applyDueEvents(id);
      });
    }
  };

  return {
    reconcileAccount,
    async reconcileDue() {
      const nowMs = clock.now().getTime();
      const due = (await findDue(db, clock.now())).filter(
        ({ id, provider }) => isLocal(provider) || nowMs - (lastAskedMs.get(id) ?? 0) >= HOUR_MS,
      );
      for (const { id } of due) lastAskedMs.set(id, nowMs);
      await each(due);
      if (lastAskedMs.size > 10_000) lastAskedMs.clear();
    },
    async reconcileAll() {
      if (isLocal(providers.current.kind)) return;
      await each(await findProvided(db, providers.current.kind));
      await deletePaymentEventsBefore(db, new Date(clock.now().getTime() - EVENTS_KEPT_MS));
    },
  };
}

/** Returns true if the row's period has ended, although the subscription is not stored as ended yet. */
export function isDue(row: SubscriptionRow, now: Date): boolean {
  const { status, period } = toState(row);
  return (status === 'trialing' || status === 'active' || status === 'past_due') && period.end <= now;
}
