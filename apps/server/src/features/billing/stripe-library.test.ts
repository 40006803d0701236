import Stripe from 'stripe';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { API_VERSION } from './stripe/client.ts';
import type {
  CheckoutSession,
  Customer,
  InvoicePreview,
  Invoices,
  Message,
  PortalSession,
  Price,
  Prices,
  Schedule,
  StripeSubscription,
  SubscriptionList,
} from './stripe/shapes.ts';
import { isSigned, signBody } from './stripe/signature.ts';

/** Compares the product's code with Stripe's own library, which the product itself does not use. */
test('the installed library has the API version that the product requests', () => {
  expect(Stripe.API_VERSION).toBe(API_VERSION);
});

/** Removes the open-ended `string` that Stripe's types allow for values of future versions. */
type Known<S> = S extends string ? (string extends S ? never : S) : S;
type InThisVersion<T extends { readonly status: unknown }> = Omit<T, 'status'> & {
  readonly status: Known<T['status']>;
};

test("every response that Stripe's types allow can be read", () => {
  // Checked by the compiler: if Stripe's type allows null, a missing field or a value that the schema does not accept, this is a type
  // error.
  expectTypeOf<Stripe.Price>().toExtend<z.input<typeof Price>>();
  expectTypeOf<Stripe.ApiList<Stripe.Price>>().toExtend<z.input<typeof Prices>>();
  expectTypeOf<Stripe.Customer>().toExtend<z.input<typeof Customer>>();
  expectTypeOf<InThisVersion<Stripe.Checkout.Session>>().toExtend<z.input<typeof CheckoutSession>>();
  expectTypeOf<InThisVersion<Stripe.Subscription>>().toExtend<z.input<typeof StripeSubscription>>();
  expectTypeOf<Stripe.ApiList<InThisVersion<Stripe.Subscription>>>().toExtend<
    z.input<typeof SubscriptionList>
  >();
  expectTypeOf<Stripe.SubscriptionSchedule>().toExtend<z.input<typeof Schedule>>();
  expectTypeOf<Stripe.Invoice>().toExtend<z.input<typeof InvoicePreview>>();
  expectTypeOf<Stripe.ApiList<Stripe.Invoice>>().toExtend<z.input<typeof Invoices>>();
  expectTypeOf<Stripe.BillingPortal.Session>().toExtend<z.input<typeof PortalSession>>();
});

/** Events on which the webhook acts. */
type Heard =
  | Stripe.CheckoutSessionCompletedEvent
  | Stripe.CustomerSubscriptionCreatedEvent
  | Stripe.CustomerSubscriptionUpdatedEvent
  | Stripe.CustomerSubscriptionDeletedEvent
  | Stripe.CustomerSubscriptionPausedEvent
  | Stripe.InvoicePaidEvent
  | Stripe.InvoicePaymentFailedEvent
  | Stripe.InvoicePaymentActionRequiredEvent
  | Stripe.SubscriptionScheduleReleasedEvent;

test("every webhook message that Stripe's types allow can be read", () => {
  expectTypeOf<Heard>().toExtend<z.input<typeof Message>>();
});

describe('a signature', () => {
  const secret = 'whsec_test_secret_1';
  const body = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', name: 'Größe 🚀' });

  test('made by the product is valid for Stripe’s library', () => {
    const header = signBody(body, secret, new Date());
    expect(Stripe.webhooks.constructEvent(body, header, secret)).toMatchObject({ id: 'evt_1' });
    expect(() => Stripe.webhooks.constructEvent(`${body} `, header, secret)).toThrow();
  });

  test('made by Stripe’s library is valid for the product, but not after five minutes', () => {
    const timestamp = 1_795_000_000;
    const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
    const after = (seconds: number) => new Date((timestamp + seconds) * 1000);
    expect(isSigned(body, header, secret, after(0))).toBe(true);
    expect(isSigned(body, header, secret, after(300))).toBe(true);
    expect(isSigned(body, header, secret, after(301))).toBe(false);
    expect(isSigned(body, header, 'whsec_another', after(0))).toBe(false);
    expect(isSigned(`${body} `, header, secret, after(0))).toBe(false);
  });
});
