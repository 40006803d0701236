import { computePrice, formatDay, type Invoice, PLANS } from '@throughline/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { ControlStore } from '../../../platform/control-store/index.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Report } from '../documents/report.ts';
import { computeFirstPeriod, computeNextPeriod, prorate } from '../proration.ts';
import type { PaymentProvider, ProviderData, ProviderSubscription, Reported } from '../provider.ts';
import { findSandboxInvoices, type SandboxInvoiceRow } from '../store.ts';
import { findTermsDue, type Next, type Period, type SubscriptionState, type Terms } from '../subscription.ts';

const LABEL = 'Sandbox – no card is charged';
const RENEWAL = { kind: 'renewal' } as const;

/**
 * A provider for trying out plans. It charges no card, and stores its invoices in the control store, in the same transaction as the
 * subscription. The clock decides when a renewal is due. A request that moves the test clock can also make the sandbox refuse payments.
 */
export function createSandbox(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
}): PaymentProvider {
  const { clock } = deps;
  const { db } = deps.control;

  const charge = (
    paying: ProviderSubscription,
    terms: Terms,
    period: Period,
    amount: number,
    what: string,
  ): Reported => {
    if (paying.declines)
      throw new AppError('payment_failed', 'The sandbox refused the payment, as requested.');
    const description = `${describe(terms)}, ${what}`;
    return reportPaid({ terms, period, next: RENEWAL }, { invoice: { description, amount, paid: true } });
  };
  const chargeWhole = (paying: ProviderSubscription, terms: Terms, period: Period) =>
    charge(
      paying,
      terms,
      period,
      computeCents(terms),
      `${formatDay(period.start)} to ${formatDay(period.end)}`,
    );
  const renew = (
    paying: ProviderSubscription,
    state: Extract<SubscriptionState, { status: 'active' | 'past_due' }>,
  ) => {
    const terms = findTermsDue(state);
    return chargeWhole(paying, terms, computeNextPeriod(state.period, terms.cycle));
  };

  return {
    kind: 'sandbox',
    label: LABEL,
    portal: false,
    async choose(paying, terms, effect, at) {
      const { state } = paying;
      if (state.status !== 'active')
        return chargeWhole(paying, terms, computeFirstPeriod(clock.now(), terms.cycle));
      if (effect === 'at_period_end') return keep(state, { kind: 'change', terms });
      const { credit, charge: cost, period } = prorate(state, terms, at);
      return charge(
        paying,
        terms,
        period,
        Math.max(0, cost - credit),
        `from ${formatDay(at)}, less what was paid`,
      );
    },
    async cancel({ state }) {
      return state.status === 'active' ? keep(state, { kind: 'end' }) : reportEnded();
    },
    async reactivate({ state }) {
      return state.status === 'active' ? keep(state, RENEWAL) : reportEnded();
    },
    async pay(paying) {
      const { state } = paying;
      if (state.status !== 'past_due') throw new AppError('subscription_state', 'There is nothing to pay.');
      const { providerData, ...rest } = renew({ ...paying, declines: false }, state);
      return { ...rest, providerData: { ...providerData, declines: false } };
    },
    async preview({ state }, terms, at) {
      if (state.status !== 'active') {
        return {
          due: computeCents(terms),
          lines: [{ description: describe(terms), amount: computeCents(terms) / 100 }],
        };
      }
      const { credit, charge: cost } = prorate(state, terms, at);
      return {
        due: Math.max(0, cost - credit),
        lines: [
          { description: `${describe(terms)}, from today`, amount: cost / 100 },
          { description: `Unused part of ${describe(state.terms)}`, amount: -credit / 100 },
        ],
      };
    },
    async invoices({ id, state }) {
      return (await findSandboxInvoices(db, id)).map((row) => describeInvoice(row, state));
    },
    async portalUrl() {
      throw new AppError('subscription_state', 'The sandbox stores no card, so there is no card to change.');
    },
    async fetchState(paying) {
      const { state } = paying;
      if (state.status === 'past_due') return paying.declines ? undefined : renew(paying, state);
      if (state.status !== 'active' || state.period.end > clock.now()) return undefined;
      if (state.next.kind === 'end') return reportEnded();
      if (!paying.declines) return renew(paying, state);
      const { period } = state;
      const terms = findTermsDue(state);
      const invoice = {
        description: `${describe(terms)}, refused`,
        amount: computeCents(terms),
        paid: false,
      };
      return { kind: 'report', report: { status: 'unpaid', since: period.end }, providerData: { invoice } };
    },
  };
}

function reportPaid(
  rest: Omit<Extract<Report, { status: 'paid' }>, 'status'>,
  providerData: ProviderData = {},
): Reported {
  return { kind: 'report', report: { status: 'paid', ...rest }, providerData };
}

function keep({ terms, period }: { terms: Terms; period: Period }, next: Next): Reported {
  return reportPaid({ terms, period, next });
}

function reportEnded(): Reported {
  return { kind: 'report', report: { status: 'ended', isRequested: true }, providerData: {} };
}

function computeCents({ plan, cycle }: Terms): number {
  return computePrice(plan, cycle) * 100;
}

function describe({ plan, cycle }: Terms): string {
  return `${PLANS[plan].name} (${cycle})`;
}

/**
 * Describes an invoice. Its number is short enough to be read out: it consists of the end of the subscription's id, and of the
 * subscription's version when the invoice was stored. An invoice whose payment was refused is open while the subscription waits for the
 * payment of the same period. The invoice is void once another invoice for the period was paid, or the plan has ended.
 */
export function describeInvoice(row: SandboxInvoiceRow, state: SubscriptionState): Invoice {
  const isAwaited = state.status === 'past_due' && state.period.end.getTime() === row.periodEnd.getTime();
  return {
    id: row.id,
    number: `SANDBOX-${row.subscriptionId.slice(-4)}-${row.version}`.toUpperCase(),
    at: row.at.toISOString(),
    description: row.description,
    amount: row.amount / 100,
    status: row.paid ? 'paid' : isAwaited ? 'open' : 'void',
    pdfUrl: null,
  };
}
