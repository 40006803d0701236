import type { ChangePreview, Invoice, PlanKind } from '@throughline/contract';
import type { Report } from './documents/report.ts';
import type { SubscriptionState, Terms } from './subscription.ts';

/** A subscription as a payment provider is asked about it. */
export interface Paying {
  readonly id: string;
  readonly kind: PlanKind;
  readonly state: SubscriptionState;
  /** The same again asks for the same: a provider charges it once. */
  readonly version: number;
  readonly ticket: number;
  /** The provider's own names; null where there is none yet, or another provider's. */
  readonly customerRef: string | null;
  readonly subscriptionRef: string | null;
  readonly checkoutRef: string | null;
  readonly declines: boolean;
  readonly contact: { readonly email: string; readonly name: string };
}

/** Data that a provider wants stored with a report. */
export interface Noted {
  readonly customerRef?: string;
  readonly subscriptionRef?: string;
  readonly checkoutRef?: string | null;
  readonly declines?: boolean;
  /** US cents; the sandbox's, which keeps its books here. */
  readonly invoice?: { readonly description: string; readonly amount: number; readonly paid: boolean };
}

export type Outcome =
  | { readonly kind: 'report'; readonly report: Report; readonly noted: Noted }
  /** To be gone on with at the provider's page. */
  | { readonly kind: 'redirect'; readonly url: string; readonly noted: Noted };

export type Reported = Extract<Outcome, { kind: 'report' }>;

export type ProviderKind = 'sandbox' | 'stripe' | 'operator';

/** A local provider keeps its books in the control store: its answers are as old as what was read there. */
export function isLocal(kind: ProviderKind): boolean {
  return kind !== 'stripe';
}

/** Who takes the money, if any. All kinds are asked alike; what they answer is the whole truth about a subscription, from which its events are told. */
export interface PaymentProvider {
  readonly kind: ProviderKind;
  /** Notice beside every payment; null: none. */
  readonly label: string | null;
  readonly portal: boolean;
  /** Begins to pay for a plan, changes to it at once (what that costs is reckoned from `at`), or with the next period. */
  choose(paying: Paying, terms: Terms, effect: 'now' | 'at_period_end', at: Date): Promise<Outcome>;
  cancel(paying: Paying): Promise<Reported>;
  reactivate(paying: Paying): Promise<Reported>;
  pay(paying: Paying): Promise<Outcome>;
  /** Computes the cost of an immediate change from `at`, US cents. */
  preview(
    paying: Paying,
    terms: Terms,
    at: Date,
  ): Promise<{ readonly due: number; readonly lines: ChangePreview['lines'] }>;
  invoices(paying: Paying): Promise<Invoice[]>;
  /** @throws AppError `subscription_state` where the provider has no such page, or does not know the payer */
  portalUrl(paying: Paying): Promise<string>;
  /** Fetches the present state, also of a subscription that a message names; undefined where nothing is new. */
  fetchState(paying: Paying, hint?: string): Promise<Reported | undefined>;
}
