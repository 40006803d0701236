import type { ChangePreview, Invoice, PlanKind } from '@throughline/contract';
import type { Report } from './documents/report.ts';
import type { SubscriptionState, Terms } from './subscription.ts';

/** The data of a subscription that is passed to a payment provider. */
export interface ProviderSubscription {
  readonly id: string;
  readonly kind: PlanKind;
  readonly state: SubscriptionState;
  /** Requests with the same version and ticket are the same request, for which a provider charges only once. */
  readonly version: number;
  readonly ticket: number;
  /** The ids at Stripe, the only provider with ids of its own; null if there are none yet. */
  readonly customerRef: string | null;
  readonly subscriptionRef: string | null;
  readonly checkoutRef: string | null;
  readonly declines: boolean;
  readonly contact: { readonly email: string; readonly name: string };
}

/** Data that a provider wants stored together with its report. */
export interface ProviderData {
  readonly customerRef?: string;
  readonly subscriptionRef?: string;
  readonly checkoutRef?: string | null;
  readonly declines?: boolean;
  /** The invoice to store, with its amount in US cents. Only for the sandbox, whose invoices are in the control store. */
  readonly invoice?: { readonly description: string; readonly amount: number; readonly paid: boolean };
}

export type Outcome =
  | { readonly kind: 'report'; readonly report: Report; readonly providerData: ProviderData }
  /** The user must continue on the provider's page. */
  | { readonly kind: 'redirect'; readonly url: string; readonly providerData: ProviderData };

export type Reported = Extract<Outcome, { kind: 'report' }>;

export type ProviderKind = 'sandbox' | 'stripe' | 'operator';

/**
 * True for a provider whose data is in the control store. Such a provider computes its result from the subscription's row. The result is
 * therefore outdated once the row has changed.
 */
export function isLocal(kind: ProviderKind): boolean {
  return kind !== 'stripe';
}

/**
 * A payment provider. All kinds have the same interface. A provider's report is the complete state of a subscription; the events are
 * inferred from it.
 */
export interface PaymentProvider {
  readonly kind: ProviderKind;
  /** A notice shown next to every payment; null for none. */
  readonly label: string | null;
  readonly portal: boolean;
  /** Starts paying for a plan, changes to the plan immediately (priced from `at`), or changes to the plan with the next period. */
  choose(
    paying: ProviderSubscription,
    terms: Terms,
    effect: 'now' | 'at_period_end',
    at: Date,
  ): Promise<Outcome>;
  cancel(paying: ProviderSubscription): Promise<Reported>;
  reactivate(paying: ProviderSubscription): Promise<Reported>;
  pay(paying: ProviderSubscription): Promise<Outcome>;
  /** Computes the cost of an immediate change from `at`. `due` is in US cents, the amounts of `lines` in US dollars. */
  preview(
    paying: ProviderSubscription,
    terms: Terms,
    at: Date,
  ): Promise<{ readonly due: number; readonly lines: ChangePreview['lines'] }>;
  invoices(paying: ProviderSubscription): Promise<Invoice[]>;
  /**
   * Returns the URL of the provider's portal. @throws AppError `subscription_state` or `plan_by_operator` if the provider has no portal, or
   * does not know the payer
   */
  portalUrl(paying: ProviderSubscription): Promise<string>;
  /** Fetches the current state, including the state of the subscription that a message names (`hint`); undefined if nothing is new. */
  fetchState(paying: ProviderSubscription, hint?: string): Promise<Reported | undefined>;
}
