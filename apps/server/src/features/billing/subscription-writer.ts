import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import type { Logger } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { Actor, Audit, Operator } from '../audit/index.ts';
import { inferEvents } from './documents/report.ts';
import { buildAuditEntry, buildMail } from './notifications.ts';
import { isLocal, type ProviderData, type ProviderSubscription, type Reported } from './provider.ts';
import {
  findContact,
  insertPaymentEvent,
  insertSandboxInvoice,
  lockSubscription,
  type SubscriptionRow,
  takeTicket,
  toPayer,
  updateSubscription,
} from './store.ts';
import {
  applyEvent,
  type EventName,
  findDueEvent,
  type SubscriptionEvent,
  type SubscriptionState,
} from './subscription.ts';
import { toColumns, toState } from './subscription-mapper.ts';

/** A subscription as it was when its provider was queried. */
export interface QueriedSubscription {
  readonly row: SubscriptionRow;
  readonly paying: ProviderSubscription;
}

/** `stale`: a newer state was stored while the provider was queried, so nothing changed. */
type Applied =
  | { readonly kind: 'applied'; readonly events: readonly EventName[] }
  | { readonly kind: 'stale' };

interface ProviderUpdate {
  readonly provider: SubscriptionRow['provider'];
  readonly outcome: Reported;
  /** The user or operator who made the change; null if no user or operator of this server made the change. */
  readonly actor: Actor | Operator | null;
  /** The id of the provider's message that caused the change. Each message is handled once. */
  readonly messageId?: string;
}

/**
 * Writes subscriptions. Every change of a subscription's state is an event of the state machine, except a move of the sandbox's test clock.
 * The event, its audit entry, its mail and its invoice are stored in one transaction.
 */
export interface SubscriptionWriter {
  /**
   * Numbers the next request to the subscription's provider: increments the stored ticket. Returns the subscription with this ticket;
   * undefined if the account no longer exists.
   */
  beginRequest(id: string): Promise<QueriedSubscription | undefined>;
  apply(queried: QueriedSubscription, update: ProviderUpdate): Promise<Applied>;
  /** Stores the provider's own ids, and changes nothing else. */
  storeProviderData(
    id: string,
    provider: SubscriptionRow['provider'],
    providerData: ProviderData,
  ): Promise<void>;
  /** Applies the event that is due by now. Returns its name in a list; the list is empty if no event is due. */
  applyDueEvents(id: string): Promise<readonly EventName[]>;
}

export function createSubscriptionWriter(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: Audit;
  readonly mail: Mailer;
  readonly publicUrl: () => string;
  /** Called when an account's plan in force has changed or can have changed. */
  readonly changed: () => Promise<void>;
  /** True if accounts ask the operator for plans instead of choosing them. */
  readonly isByOperator: boolean;
}): SubscriptionWriter {
  const { clock } = deps;
  const { db } = deps.control;

  const announce = async (
    tx: ControlDb,
    row: SubscriptionRow,
    change: {
      event: SubscriptionEvent;
      before: SubscriptionState;
      after: SubscriptionState;
      actor: Actor | Operator | null;
    },
  ) => {
    const payer = toPayer(row);
    const by = change.actor?.userId ?? null;
    // Solo users have no audit log, so only the operator's log records who changed the subscription.
    deps.log.info(
      { subscription: row.id, payer, event: change.event.name, status: change.after.status, by },
      'a subscription changed',
    );
    if (payer.kind === 'organization') {
      const { action, target } = buildAuditEntry(change.event, change.before, change.after);
      const { organizationId } = payer;
      await deps.audit.record(tx, { organizationId, action, actor: change.actor, target });
    }
    const contact = await findContact(tx, payer);
    if (contact === undefined) return;
    const mail = buildMail(change.event, change.before, {
      to: contact.email,
      publicUrl: deps.publicUrl(),
      isByOperator: deps.isByOperator,
    });
    if (mail !== undefined) await deps.mail.send(tx, mail);
  };

  /**
   * Applies the events, reports each event and returns the final state. An event that is not possible in the current state is a bug of the
   * caller.
   */
  const run = async (
    tx: ControlDb,
    row: SubscriptionRow,
    events: readonly SubscriptionEvent[],
    actor: Actor | Operator | null,
  ): Promise<SubscriptionState> => {
    let state = toState(row);
    for (const event of events) {
      const after = applyEvent(state, event, clock.now());
      if (after === undefined) throw new Error(`a subscription that is ${state.status} cannot ${event.name}`);
      await announce(tx, row, { event, before: state, after, actor });
      state = after;
    }
    return state;
  };

  return {
    async beginRequest(id) {
      const row = await takeTicket(db, id);
      if (row === undefined) return undefined;
      const payer = toPayer(row);
      const contact = (await findContact(db, payer)) ?? { email: '', name: '' };
      return { row, paying: toPaying(row, payer.kind, contact) };
    },
    async apply(queried, { provider, outcome, actor, messageId }) {
      const applied = await db.transaction(async (tx): Promise<Applied> => {
        const row = await lockSubscription(tx, queried.row.id);
        if (row === undefined) return { kind: 'applied', events: [] };
        // A local provider computes its result from the stored row, so the result is stale if the row has changed since. An external
        // provider's result is stale only if the result of a later request was stored, or if the row now has another subscription.
        const stale = isLocal(provider)
          ? row.version !== queried.row.version
          : row.ticketApplied > queried.row.ticketsTaken ||
            row.subscriptionRef !== queried.row.subscriptionRef;
        if (stale) return { kind: 'stale' };
        const now = clock.now();
        if (messageId !== undefined && !(await insertPaymentEvent(tx, messageId, now)))
          return { kind: 'applied', events: [] };
        const events = inferEvents(toState(row), outcome.report, now);
        const state = await run(tx, row, events, actor);
        const { invoice, ...providerData } = outcome.providerData;
        const after = await updateSubscription(tx, row.id, {
          ...(events.length === 0 ? {} : toColumns(state)),
          ...toProviderColumns(providerData),
          provider,
          ticketApplied: queried.row.ticketsTaken,
        });
        if (invoice !== undefined && after !== undefined) {
          const { version, currentPeriodStart, currentPeriodEnd } = after;
          const period = { periodStart: currentPeriodStart, periodEnd: currentPeriodEnd };
          await insertSandboxInvoice(tx, { subscriptionId: row.id, version, at: now, ...period, ...invoice });
        }
        return { kind: 'applied', events: events.map(({ name }) => name) };
      });
      if (applied.kind === 'applied' && applied.events.length > 0) await deps.changed();
      return applied;
    },
    async storeProviderData(id, provider, providerData) {
      await updateSubscription(db, id, { ...toProviderColumns(providerData), provider });
    },
    async applyDueEvents(id) {
      const events = await db.transaction(async (tx) => {
        const row = await lockSubscription(tx, id);
        const due = row === undefined ? undefined : findDueEvent(toState(row), clock.now());
        if (row === undefined || due === undefined) return [];
        await updateSubscription(tx, id, toColumns(await run(tx, row, [due], null)));
        return [due.name];
      });
      if (events.length > 0) await deps.changed();
      return events;
    },
  };
}

function toProviderColumns({
  customerRef,
  subscriptionRef,
  checkoutRef,
  declines,
}: Omit<ProviderData, 'invoice'>) {
  return {
    ...(customerRef === undefined ? {} : { customerRef }),
    ...(subscriptionRef === undefined ? {} : { subscriptionRef }),
    ...(checkoutRef === undefined ? {} : { checkoutRef }),
    ...(declines === undefined ? {} : { sandboxDeclines: declines }),
  };
}

function toPaying(
  row: SubscriptionRow,
  kind: ProviderSubscription['kind'],
  contact: ProviderSubscription['contact'],
): ProviderSubscription {
  const { id, version, customerRef, subscriptionRef, checkoutRef } = row;
  const refs = { customerRef, subscriptionRef, checkoutRef };
  return {
    id,
    kind,
    version,
    contact,
    ...refs,
    state: toState(row),
    ticket: row.ticketsTaken,
    declines: row.sandboxDeclines,
  };
}
