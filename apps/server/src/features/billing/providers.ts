import { AppError } from '../../platform/http/errors.ts';
import { isLocal, type PaymentProvider } from './provider.ts';
import type { SubscriptionRow } from './store.ts';

/** The provider for new payments, and the providers that older subscriptions can have. */
export interface Providers {
  readonly current: PaymentProvider;
  readonly of: (kind: SubscriptionRow['provider']) => PaymentProvider | undefined;
}

/**
 * Finds the provider of a subscription. A paid subscription stays with the provider that began it. Any other subscription has the provider
 * for new payments.
 * @throws AppError `payment_unavailable` if this server does not have this provider
 */
export function chooseProvider(providers: Providers, row: SubscriptionRow): PaymentProvider {
  if (!isPaid(row)) return providers.current;
  const provider = providers.of(row.provider);
  if (provider !== undefined) return provider;
  throw new AppError(
    'payment_unavailable',
    `This subscription is paid through ${row.provider}, but this server has no key for ${row.provider}. Ask the operator of the server.`,
  );
}

/** Finds the provider for a new choice of plan. A plan from the sandbox or the operator continues with the provider for new payments. */
export function chooseProviderForChange(providers: Providers, row: SubscriptionRow): PaymentProvider {
  return isLocal(row.provider) ? providers.current : chooseProvider(providers, row);
}

/**
 * Finds the provider whose label, invoices and portal a user sees. If this server does not have the provider of a paid subscription, the
 * user sees the provider for new payments.
 */
export function findShownProvider(providers: Providers, row: SubscriptionRow): PaymentProvider {
  return (isPaid(row) ? providers.of(row.provider) : undefined) ?? providers.current;
}

function isPaid({ status }: SubscriptionRow): boolean {
  return status === 'active' || status === 'past_due';
}
