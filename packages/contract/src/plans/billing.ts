import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { BILLING_CYCLES, PLAN_IDS, readPlanId } from './plans.ts';
import { ChangePreview, Invoice, PlanOffer, Subscription } from './subscriptions.ts';

/** A plan's id; `free` is an alias of `free_trial`. */
const PlanChoice = z.string().transform((text, context) => {
  const plan = readPlanId(text);
  if (plan !== undefined) return plan;
  context.addIssue({ code: 'custom', message: `Plan must be one of ${PLAN_IDS.join(', ')}` });
  return z.NEVER;
});

const Cycle = z
  .enum(BILLING_CYCLES, { error: `Billing cycle must be ${BILLING_CYCLES.join(' or ')}` })
  .optional();
/** An absent cycle means the cycle of the current paid subscription, or monthly if there is no paid subscription. */
const Choice = z.object({ plan: PlanChoice, billingCycle: Cycle });
/**
 * `pricedAt`: the `at` of the preview that the user confirmed, at most 15 minutes old. The user is charged the amount
 * in the preview.
 */
const Confirmed = Choice.extend({ pricedAt: Instant.optional() });

const Plans = z.object({ plans: z.array(PlanOffer) });
const OneSubscription = z.object({ subscription: Subscription });
const WithUsage = z.object({
  subscription: Subscription,
  currentUsage: z.object({ traces: z.number(), projects: z.number() }),
});
/**
 * If the change is complete, contains `subscription`. Otherwise the status is 202, and the user continues at
 * `checkoutUrl`, a page of the payment provider.
 */
const Changed = z.object({ subscription: Subscription.optional(), checkoutUrl: z.url().optional() });
const Preview = z.object({ preview: ChangePreview });
const Invoices = z.object({ invoices: z.array(Invoice) });
const Portal = z.object({ portalUrl: z.url() });
/** Body of the request that ends the current period, and makes later payments succeed or fail. Only for the sandbox in development. */
const Jump = z.object({ payment: z.enum(['succeeds', 'fails']).default('succeeds') });

const IdParams = z.object({ id: z.string() });
/** Raw bytes. JSON Schema can describe only their type. */
const PdfDocument = z.unknown().meta({ type: 'string', contentMediaType: 'application/pdf' });
const InvoiceParams = z.object({ id: z.string(), invoiceId: z.string() });
const access = { by: 'session', action: 'billing.manage', on: 'organization' } as const;
const own = { by: 'session', action: 'billing.manage', on: 'own' } as const;
const refusals = ['forbidden', 'not_found', 'payment_unavailable'] as const;
const changes = ['plan_by_operator', 'subscription_state', 'payment_failed', 'payment_unavailable'] as const;
const choices = ['validation_failed', 'plan_not_available', 'plan_limit', ...changes] as const;

export const billingRoutes = {
  plans: defineRoute({
    method: 'GET',
    path: '/api/billing/plans',
    summary: 'The plans for organizations',
    access: { by: 'session' },
    answer: Plans,
    errors: [],
  }),
  organizationSubscription: defineRoute({
    method: 'GET',
    path: '/api/billing/:id/subscription',
    summary: "An organization's subscription and usage",
    access,
    params: IdParams,
    answer: WithUsage,
    errors: ['forbidden', 'not_found'],
  }),
  changeOrganizationPlan: defineRoute({
    method: 'PUT',
    path: '/api/billing/:id/subscription/plan',
    summary: "Change an organization's plan: upgrades immediately, downgrades at the end of the period",
    access,
    params: IdParams,
    body: Confirmed,
    answer: Changed,
    errors: ['forbidden', 'not_found', ...choices],
  }),
  previewOrganizationPlan: defineRoute({
    method: 'GET',
    path: '/api/billing/:id/subscription/preview',
    summary: "Preview the cost and date of a change of an organization's plan",
    access,
    params: IdParams,
    query: Choice,
    answer: Preview,
    errors: ['forbidden', 'not_found', ...choices],
  }),
  cancelOrganization: defineRoute({
    method: 'POST',
    path: '/api/billing/:id/subscription/cancel',
    summary: "Cancel an organization's subscription at the end of its period",
    access,
    params: IdParams,
    answer: OneSubscription,
    errors: ['forbidden', 'not_found', ...changes],
  }),
  reactivateOrganization: defineRoute({
    method: 'PUT',
    path: '/api/billing/:id/subscription/reactivate',
    summary: "Undo the scheduled cancellation or plan change of an organization's subscription",
    access,
    params: IdParams,
    answer: OneSubscription,
    errors: ['forbidden', 'not_found', ...changes],
  }),
  payOrganization: defineRoute({
    method: 'POST',
    path: '/api/billing/:id/subscription/pay',
    summary: "Retry an organization's failed payment",
    access,
    params: IdParams,
    answer: Changed,
    errors: ['forbidden', 'not_found', ...changes],
  }),
  organizationInvoices: defineRoute({
    method: 'GET',
    path: '/api/billing/:id/invoices',
    summary: "An organization's latest invoices, newest first",
    access,
    params: IdParams,
    answer: Invoices,
    errors: refusals,
  }),
  organizationInvoicePdf: defineRoute({
    method: 'GET',
    path: '/api/billing/:id/invoices/:invoiceId/pdf',
    summary: 'A sandbox invoice as a PDF document',
    access,
    params: InvoiceParams,
    answer: PdfDocument,
    answerKind: 'pdf',
    errors: ['forbidden', 'not_found'],
  }),
  organizationPortal: defineRoute({
    method: 'POST',
    path: '/api/billing/:id/portal',
    summary: "URL of the payment provider's page for card, address and VAT id",
    access,
    params: IdParams,
    answer: Portal,
    errors: ['plan_by_operator', 'subscription_state', ...refusals],
  }),
  jumpOrganization: defineRoute({
    method: 'POST',
    path: '/api/billing/:id/subscription/test-clock',
    summary: "Jump to the end of the subscription's period; only in the sandbox, in development",
    access,
    params: IdParams,
    body: Jump,
    answer: OneSubscription,
    errors: ['validation_failed', 'forbidden', 'not_found', 'subscription_state'],
  }),
};

export const userBillingRoutes = {
  plans: defineRoute({
    method: 'GET',
    path: '/api/user-billing/plans',
    summary: 'The plans for solo users',
    access: { by: 'session' },
    answer: Plans,
    errors: [],
  }),
  subscription: defineRoute({
    method: 'GET',
    path: '/api/user-billing/subscription',
    summary: "A solo user's subscription and usage",
    access: own,
    answer: WithUsage,
    errors: ['forbidden'],
  }),
  changePlan: defineRoute({
    method: 'PUT',
    path: '/api/user-billing/subscription/plan',
    summary: "Change a solo user's plan: upgrades immediately, downgrades at the end of the period",
    access: own,
    body: Confirmed,
    answer: Changed,
    errors: ['forbidden', ...choices],
  }),
  previewPlan: defineRoute({
    method: 'GET',
    path: '/api/user-billing/subscription/preview',
    summary: "Preview the cost and date of a change of a solo user's plan",
    access: own,
    query: Choice,
    answer: Preview,
    errors: ['forbidden', ...choices],
  }),
  cancel: defineRoute({
    method: 'PUT',
    path: '/api/user-billing/subscription/cancel',
    summary: "Cancel a solo user's subscription at the end of its period",
    access: own,
    answer: OneSubscription,
    errors: ['forbidden', ...changes],
  }),
  reactivate: defineRoute({
    method: 'PUT',
    path: '/api/user-billing/subscription/reactivate',
    summary: "Undo the scheduled cancellation or plan change of a solo user's subscription",
    access: own,
    answer: OneSubscription,
    errors: ['forbidden', ...changes],
  }),
  pay: defineRoute({
    method: 'POST',
    path: '/api/user-billing/subscription/pay',
    summary: "Retry a solo user's failed payment",
    access: own,
    answer: Changed,
    errors: ['forbidden', ...changes],
  }),
  invoices: defineRoute({
    method: 'GET',
    path: '/api/user-billing/invoices',
    summary: "A solo user's latest invoices, newest first",
    access: own,
    answer: Invoices,
    errors: ['forbidden', 'payment_unavailable'],
  }),
  invoicePdf: defineRoute({
    method: 'GET',
    path: '/api/user-billing/invoices/:invoiceId/pdf',
    summary: 'A sandbox invoice as a PDF document',
    access: own,
    params: z.object({ invoiceId: z.string() }),
    answer: PdfDocument,
    answerKind: 'pdf',
    errors: ['forbidden', 'not_found'],
  }),
  portal: defineRoute({
    method: 'POST',
    path: '/api/user-billing/portal',
    summary: "URL of the payment provider's page for card, address and VAT id",
    access: own,
    answer: Portal,
    errors: ['forbidden', 'plan_by_operator', 'subscription_state', 'payment_unavailable'],
  }),
  jump: defineRoute({
    method: 'POST',
    path: '/api/user-billing/subscription/test-clock',
    summary: "Jump to the end of the subscription's period; only in the sandbox, in development",
    access: own,
    body: Jump,
    answer: OneSubscription,
    errors: ['validation_failed', 'forbidden', 'subscription_state'],
  }),
};
