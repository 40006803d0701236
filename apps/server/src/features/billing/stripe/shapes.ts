import { z } from 'zod';

/** The parts of Stripe's responses that the server reads. Other fields are ignored. Instants are Unix seconds, amounts are cents. */

const Seconds = z.number().transform((seconds) => new Date(seconds * 1000));
export function toSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** Stripe sends a related object in full, or only its id. Reads the id in both cases. */
const Ref = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

export const Failure = z.object({
  error: z.object({
    type: z.string(),
    code: z.string().optional(),
    param: z.string().optional(),
    message: z.string().optional(),
  }),
});

export const Price = z.object({
  id: z.string(),
  lookup_key: z.string().nullable(),
});

export const Prices = z.object({ data: z.array(Price) });

export const StripeSubscription = z.object({
  id: z.string(),
  customer: Ref,
  status: z.enum([
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'canceled',
    'unpaid',
    'paused',
  ]),
  cancel_at_period_end: z.boolean(),
  cancel_at: z.number().nullable().optional(),
  billing_cycle_anchor: Seconds,
  metadata: z.record(z.string(), z.string()).default({}),
  schedule: Ref.nullable(),
  items: z.object({
    data: z
      .array(
        z.object({
          id: z.string(),
          price: Price,
          current_period_start: Seconds,
          current_period_end: Seconds,
        }),
      )
      .min(1),
  }),
});
export const SubscriptionList = z.object({ data: z.array(StripeSubscription) });
export type StripeSubscription = z.output<typeof StripeSubscription>;

export const Schedule = z.object({
  id: z.string(),
  status: z.string(),
  phases: z.array(
    z.object({
      start_date: Seconds,
      end_date: Seconds,
      items: z.array(z.object({ price: Ref })),
    }),
  ),
});

export const Customer = z.object({ id: z.string() });

export const CheckoutSession = z.object({
  id: z.string(),
  url: z.string().nullable(),
  status: z.enum(['open', 'complete', 'expired']).nullable(),
  customer: Ref.nullable(),
  subscription: Ref.nullable(),
  client_reference_id: z.string().nullable(),
});

export const PortalSession = z.object({ url: z.string() });

export const InvoicePreview = z.object({
  amount_due: z.number(),
  lines: z.object({
    data: z.array(z.object({ description: z.string().nullable(), amount: z.number() })),
  }),
});

export const Invoices = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      number: z.string().nullable(),
      created: Seconds,
      amount_due: z.number(),
      status: z.string().nullable(),
      invoice_pdf: z.string().nullable().optional(),
      hosted_invoice_url: z.string().nullable().optional(),
      lines: z.object({ data: z.array(z.object({ description: z.string().nullable() })) }),
    }),
  ),
});

/** A webhook message. Only ids and types are read from it, because the state itself is fetched from Stripe. */
export const Message = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({
    object: z.object({
      id: z.string(),
      object: z.string(),
      subscription: Ref.nullable().optional(),
      metadata: z.record(z.string(), z.string()).nullable().optional(),
      client_reference_id: z.string().nullable().optional(),
      parent: z
        .object({
          subscription_details: z
            .object({ subscription: Ref, metadata: z.record(z.string(), z.string()).nullable().optional() })
            .nullable()
            .optional(),
        })
        .nullable()
        .optional(),
    }),
  }),
});
export type Message = z.output<typeof Message>;
