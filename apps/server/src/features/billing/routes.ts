import { routes } from '@throughline/contract';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { getOrganization, type HttpContext, handled, serve } from '../../platform/http/serve.ts';
import { buildActor } from '../audit/index.ts';
import { listOffers } from './documents/describe.ts';
import type { BillingService, Changed } from './service.ts';
import type { Payer } from './store.ts';

/** Registers the routes for subscriptions, which are the same for owners of organizations and for solo users. */
export function registerBillingRoutes(
  http: HttpContext,
  service: BillingService,
  { testClock }: { readonly testClock: boolean },
): void {
  registerOrganizationRoutes(http, service, testClock);
  registerSoloRoutes(http, service, testClock);
}

function registerOrganizationRoutes(http: HttpContext, service: BillingService, testClock: boolean): void {
  const { billing } = routes;
  const payerIn = (scope: Parameters<typeof getOrganization>[0]): Payer => ({
    kind: 'organization',
    organizationId: getOrganization(scope),
  });
  serve(http, billing.plans, async () => ({ plans: listOffers('organization') }));
  serve(http, billing.organizationSubscription, async ({ scope }) => readBilling(service, payerIn(scope)));
  serve(http, billing.changeOrganizationPlan, async ({ scope, body, caller, request, reply }) =>
    respondToChange(reply, await service.choose(payerIn(scope), body, buildActor(caller, request))),
  );
  serve(http, billing.previewOrganizationPlan, async ({ scope, query }) => ({
    preview: await service.preview(payerIn(scope), query),
  }));
  serve(http, billing.cancelOrganization, async ({ scope, caller, request }) => ({
    subscription: await service.cancel(payerIn(scope), buildActor(caller, request)),
  }));
  serve(http, billing.reactivateOrganization, async ({ scope, caller, request }) => ({
    subscription: await service.reactivate(payerIn(scope), buildActor(caller, request)),
  }));
  serve(http, billing.payOrganization, async ({ scope, caller, request, reply }) =>
    respondToChange(reply, await service.pay(payerIn(scope), buildActor(caller, request))),
  );
  serve(http, billing.organizationInvoices, async ({ scope }) => ({
    invoices: await service.invoices(payerIn(scope)),
  }));
  serve(http, billing.organizationInvoicePdf, async ({ scope, params, reply }) =>
    sendPdf(reply, await service.invoicePdf(payerIn(scope), params.invoiceId)),
  );
  serve(http, billing.organizationPortal, async ({ scope }) => ({
    portalUrl: await service.portalUrl(payerIn(scope)),
  }));
  serve(http, billing.jumpOrganization, async ({ scope, body }) => {
    if (!testClock) throw new AppError('not_found');
    return { subscription: await service.jump(payerIn(scope), body.payment) };
  });
}

function registerSoloRoutes(http: HttpContext, service: BillingService, testClock: boolean): void {
  const { userBilling } = routes;
  serve(http, userBilling.plans, async () => ({ plans: listOffers('solo') }));
  serve(http, userBilling.subscription, async ({ caller }) => readBilling(service, requireSoloPayer(caller)));
  serve(http, userBilling.changePlan, async ({ caller, body, request, reply }) =>
    respondToChange(reply, await service.choose(requireSoloPayer(caller), body, buildActor(caller, request))),
  );
  serve(http, userBilling.previewPlan, async ({ caller, query }) => ({
    preview: await service.preview(requireSoloPayer(caller), query),
  }));
  serve(http, userBilling.cancel, async ({ caller, request }) => ({
    subscription: await service.cancel(requireSoloPayer(caller), buildActor(caller, request)),
  }));
  serve(http, userBilling.reactivate, async ({ caller, request }) => ({
    subscription: await service.reactivate(requireSoloPayer(caller), buildActor(caller, request)),
  }));
  serve(http, userBilling.pay, async ({ caller, request, reply }) =>
    respondToChange(reply, await service.pay(requireSoloPayer(caller), buildActor(caller, request))),
  );
  serve(http, userBilling.invoices, async ({ caller }) => ({
    invoices: await service.invoices(requireSoloPayer(caller)),
  }));
  serve(http, userBilling.invoicePdf, async ({ caller, params, reply }) =>
    sendPdf(reply, await service.invoicePdf(requireSoloPayer(caller), params.invoiceId)),
  );
  serve(http, userBilling.portal, async ({ caller }) => ({
    portalUrl: await service.portalUrl(requireSoloPayer(caller)),
  }));
  serve(http, userBilling.jump, async ({ caller, body }) => {
    if (!testClock) throw new AppError('not_found');
    return { subscription: await service.jump(requireSoloPayer(caller), body.payment) };
  });
}

/** Returns a solo user as the payer. Throws for a member, because a member's plan is the organization's plan. */
function requireSoloPayer({ organization, userId }: Caller): Payer {
  if (organization !== null) throw new AppError('forbidden', "Your organization's plan applies to you.");
  return { kind: 'solo', userId };
}

async function readBilling(service: BillingService, payer: Payer) {
  const subscription = await service.read(payer);
  const { traces, projects } = subscription.usage;
  return { subscription, currentUsage: { traces: traces.used, projects: projects.used } };
}

/** Responds with 202 to a change that must be completed on the provider's pages. */
function respondToChange(reply: FastifyReply, done: Changed): Changed | typeof handled {
  if (!('checkoutUrl' in done)) return done;
  void reply.code(202).send(done);
  return handled;
}

function sendPdf(reply: FastifyReply, pdf: Buffer): typeof handled {
  void reply.type('application/pdf').send(pdf);
  return handled;
}
