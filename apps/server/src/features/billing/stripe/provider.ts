import { createHash } from 'node:crypto';
import { computePrice, PLANS } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import type { Outcome, PaymentProvider, ProviderSubscription, Reported } from '../provider.ts';
import type { Terms } from '../subscription.ts';
import type { StripeClient } from './client.ts';
import { fetchStripeState } from './fetch-state.ts';
import type { StripePrices } from './prices.ts';
import {
  CheckoutSession,
  Customer,
  InvoicePreview,
  Invoices,
  PortalSession,
  type StripeSubscription,
  toSeconds,
} from './shapes.ts';
import { changeKey, isLive, type StripeSubscriptions } from './subscriptions.ts';

/**
 * Uses Stripe's Checkout for the first payment, and Stripe's portal for cards, addresses, VAT ids and invoices. None of these are stored
 * here.
 */
export function createStripeProvider(deps: {
  readonly client: StripeClient;
  readonly prices: StripePrices;
  readonly subscriptions: StripeSubscriptions;
  readonly publicUrl: () => string;
}): PaymentProvider {
  const { client, prices, subscriptions } = deps;
  const page = (query = '') => `${deps.publicUrl()}/billing${query}`;

  /** Reports the subscription's state after a change at Stripe. */
  const reported = async (ref: string): Promise<Reported> => {
    const found = await subscriptions.find(ref);
    const report = found === undefined ? undefined : await subscriptions.report(found);
    return report ?? { kind: 'report', report: { status: 'ended', isRequested: false }, providerData: {} };
  };
  const live = async ({ subscriptionRef }: ProviderSubscription): Promise<StripeSubscription | undefined> => {
    const found = subscriptionRef === null ? undefined : await subscriptions.find(subscriptionRef);
    return found !== undefined && isLive(found) ? found : undefined;
  };
  const mustBeLive = async (paying: ProviderSubscription): Promise<StripeSubscription> => {
    const found = await live(paying);
    if (found === undefined)
      throw new AppError(
        'subscription_state',
        'The payment provider has ended this subscription. Reload to see its state.',
      );
    return found;
  };
  const ensureCustomer = async ({ id, customerRef, contact }: ProviderSubscription): Promise<string> => {
    if (customerRef !== null) return customerRef;
    const made = await client.call({
      method: 'POST',
      path: 'customers',
      // Stripe refuses a request with the same key as an earlier request but another body, so a changed name or address needs another key.
      idempotencyKey: `customer:${id}:${computeFingerprint(`${contact.email} ${contact.name}`)}`,
      fields: { email: contact.email, name: contact.name, metadata: { throughline_subscription: id } },
      answer: Customer,
    });
    return made.id;
  };
  const checkout = async (paying: ProviderSubscription, terms: Terms): Promise<Outcome> => {
    const begun = paying.checkoutRef === null ? undefined : await subscriptions.session(paying.checkoutRef);
    // Two open checkout pages could lead to two payments.
    if (begun?.status === 'open') await subscriptions.expireSession(begun.id);
    const paid =
      begun?.status === 'complete' ? await fetchStripeState(subscriptions, paying, undefined) : undefined;
    if (paid !== undefined) return paid;
    const customer = await ensureCustomer(paying);
    const session = await client.call({
      method: 'POST',
      path: 'checkout/sessions',
      idempotencyKey: `checkout:${paying.id}:${paying.ticket}`,
      fields: {
        mode: 'subscription',
        customer,
        client_reference_id: paying.id,
        line_items: [{ price: await prices.idOf(terms), quantity: 1 }],
        subscription_data: { metadata: { throughline_subscription: paying.id } },
        billing_address_collection: 'auto',
        tax_id_collection: { enabled: true },
        customer_update: { name: 'auto', address: 'auto' },
        success_url: page(),
        cancel_url: page(),
      },
      answer: CheckoutSession,
    });
    if (session.url === null) throw new AppError('payment_unavailable');
    return {
      kind: 'redirect',
      url: session.url,
      providerData: { customerRef: customer, checkoutRef: session.id },
    };
  };

  const portalUrl = async ({ customerRef }: ProviderSubscription): Promise<string> => {
    if (customerRef === null)
      throw new AppError('subscription_state', 'There is no payment yet, so there is no card to change.');
    const { url } = await client.call({
      method: 'POST',
      path: 'billing_portal/sessions',
      fields: { customer: customerRef, return_url: page() },
      answer: PortalSession,
    });
    return url;
  };

  return {
    kind: 'stripe',
    label: null,
    portal: true,
    portalUrl,
    async choose(paying, terms, effect, at) {
      const found = paying.state.status === 'active' ? await live(paying) : undefined;
      if (found === undefined) return checkout(paying, terms);
      const key = changeKey(paying);
      await (effect === 'now'
        ? subscriptions.changeNow(found, terms, key, at)
        : subscriptions.changeLater(found, terms, key));
      return reported(found.id);
    },
    async cancel(paying) {
      const found = await mustBeLive(paying);
      if (paying.state.status === 'active') {
        await subscriptions.setEnding(found, true);
        return reported(found.id);
      }
      await subscriptions.endNow(found.id, 'as-is');
      return { kind: 'report', report: { status: 'ended', isRequested: true }, providerData: {} };
    },
    async reactivate(paying) {
      const found = await mustBeLive(paying);
      await subscriptions.setEnding(found, false);
      return reported(found.id);
    },
    async pay(paying) {
      return { kind: 'redirect', url: await portalUrl(paying), providerData: {} };
    },
    async preview(paying, terms, at) {
      const found = paying.state.status === 'active' ? await live(paying) : undefined;
      const item = found?.items.data[0];
      if (found === undefined || item === undefined) {
        const due = computePrice(terms.plan, terms.cycle) * 100;
        return {
          due,
          lines: [{ description: `${PLANS[terms.plan].name} (${terms.cycle})`, amount: due / 100 }],
        };
      }
      const { amount_due, lines } = await client.call({
        method: 'POST',
        path: 'invoices/create_preview',
        fields: {
          customer: found.customer,
          subscription: found.id,
          subscription_details: {
            items: [{ id: item.id, price: await prices.idOf(terms) }],
            proration_behavior: 'always_invoice',
            proration_date: toSeconds(at),
          },
        },
        answer: InvoicePreview,
      });
      return {
        due: amount_due,
        lines: lines.data.map(({ description, amount }) => ({
          description: description ?? '',
          amount: amount / 100,
        })),
      };
    },
    async invoices({ customerRef }) {
      if (customerRef === null) return [];
      const { data } = await client.call({
        method: 'GET',
        path: 'invoices',
        fields: { customer: customerRef, limit: 100 },
        answer: Invoices,
      });
      return data
        .filter(({ status }) => status !== 'draft')
        .map((invoice) => ({
          id: invoice.id,
          number: invoice.number ?? invoice.id,
          at: invoice.created.toISOString(),
          description: invoice.lines.data[0]?.description ?? 'Throughline',
          amount: invoice.amount_due / 100,
          status: invoice.status === 'paid' ? 'paid' : invoice.status === 'open' ? 'open' : 'void',
          pdfUrl: invoice.invoice_pdf ?? invoice.hosted_invoice_url ?? null,
        }));
    },
    fetchState: (paying, hint) => fetchStripeState(subscriptions, paying, hint),
  };
}

function computeFingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
