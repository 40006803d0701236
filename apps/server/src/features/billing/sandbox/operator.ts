import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { computeNextPeriod } from '../proration.ts';
import type { PaymentProvider } from '../provider.ts';

/**
 * The provider of a server that takes no payments. Users cannot choose a plan; the server's operator sets plans. A plan renews
 * automatically until the operator sets another plan.
 */
export function createOperatorProvider({ clock }: { readonly clock: Clock }): PaymentProvider {
  const refuse = async () => {
    throw new AppError('plan_by_operator');
  };
  return {
    kind: 'operator',
    label: null,
    portal: false,
    choose: refuse,
    cancel: refuse,
    reactivate: refuse,
    pay: refuse,
    preview: refuse,
    portalUrl: refuse,
    invoices: async () => [],
    async fetchState({ state }) {
      if (state.status !== 'active' || state.period.end > clock.now()) return undefined;
      const period = computeNextPeriod(state.period, state.terms.cycle);
      const report = { status: 'paid', terms: state.terms, period, next: { kind: 'renewal' } } as const;
      return { kind: 'report', report, providerData: {} };
    },
  };
}
