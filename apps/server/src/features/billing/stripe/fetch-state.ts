import type { ProviderSubscription, Reported } from '../provider.ts';
import type { StripeSubscription } from './shapes.ts';
import { isLive, type StripeSubscriptions } from './subscriptions.ts';

const NOTHING: Reported = { kind: 'report', report: { status: 'none' }, providerData: {} };

/**
 * Reads the account's state from Stripe: the known subscription, the subscription that a message names (`hint`), a checkout in progress,
 * and all other subscriptions of the customer. Keeps one subscription: the known subscription if Stripe still charges for it, otherwise the
 * first of the others. Ends all other subscriptions and credits their payments.
 */
export async function fetchStripeState(
  subscriptions: StripeSubscriptions,
  paying: ProviderSubscription,
  hint: string | undefined,
): Promise<Reported | undefined> {
  const { customerRef, subscriptionRef, checkoutRef } = paying;
  const knowsNothing = customerRef === null && subscriptionRef === null && checkoutRef === null;
  if (knowsNothing && hint === undefined) return undefined;
  const session = checkoutRef === null ? undefined : await subscriptions.session(checkoutRef);
  const isOver = checkoutRef !== null && session?.status !== 'open';
  const known = subscriptionRef === null ? undefined : await subscriptions.find(subscriptionRef);
  const ofCustomer = customerRef === null ? [] : await subscriptions.ofCustomer(customerRef);
  const others = [session?.subscription, hint, ...ofCustomer.map(({ id }) => id)].filter(
    (ref): ref is string => typeof ref === 'string' && ref !== subscriptionRef,
  );
  const kept = await keepOne(subscriptions, paying, known, new Set(others));
  const providerData = isOver ? { checkoutRef: null } : {};
  if (kept === undefined) {
    if (subscriptionRef === null) return isOver ? { ...NOTHING, providerData } : undefined;
    return { kind: 'report', report: { status: 'ended', isRequested: false }, providerData };
  }
  const reported = await subscriptions.report(kept);
  if (reported === undefined) return isOver ? { ...NOTHING, providerData } : undefined;
  return { ...reported, providerData: { ...reported.providerData, ...providerData } };
}

async function keepOne(
  subscriptions: StripeSubscriptions,
  paying: ProviderSubscription,
  known: StripeSubscription | undefined,
  others: ReadonlySet<string>,
): Promise<StripeSubscription | undefined> {
  let kept = known;
  for (const ref of others) {
    const other = await subscriptions.find(ref);
    if (other === undefined || !isLive(other) || !belongsTo(other, paying)) continue;
    if (kept !== undefined && isLive(kept)) await subscriptions.endNow(ref, 'credit-what-was-paid');
    else kept = other;
  }
  return kept;
}

/**
 * True if the subscription belongs to this account. A message can name any account's subscription, and another account's subscription must
 * be neither used nor ended.
 */
function belongsTo(
  { metadata, customer }: StripeSubscription,
  { id, customerRef }: ProviderSubscription,
): boolean {
  const owner = metadata.throughline_subscription;
  return owner === undefined ? customer === customerRef : owner === id;
}
