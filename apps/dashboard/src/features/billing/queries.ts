import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type BillingCycle,
  mayDo,
  type Organization,
  PLANS,
  type PlanId,
  type PlanKind,
  routes,
  type Subscription,
  TEXTS,
} from '@throughline/contract';
import { api, session } from '../../shell/api.ts';
import { findRefusal } from '../../shell/session/refusal.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { useAction } from '../../shell/use-action.ts';
import { notifyFailure } from '../../ui/feedback/notify-failure.tsx';
import { notifySuccess } from '../../ui/feedback/notify-success.tsx';

const { billing, userBilling } = routes;

/** The plan and interval chosen in a card. */
export interface Choice {
  readonly plan: PlanId;
  readonly billingCycle: BillingCycle;
}

/** A choice, and the instant at which what it costs was shown: so much is charged. */
interface ConfirmedChoice extends Choice {
  readonly pricedAt: string;
}

type Signal = { readonly signal?: AbortSignal };

/** An account's calls about money: those of its organization, or of a solo user; each alike to the screen. */
function buildCalls(organization: Organization | null) {
  if (organization === null) {
    return {
      key: ['billing', 'solo'],
      subscription: (given: Signal) => api.call(userBilling.subscription, given),
      invoices: (given: Signal) => api.call(userBilling.invoices, given),
      invoicePdf: (invoiceId: string) => api.open(userBilling.invoicePdf, { params: { invoiceId } }),
      preview: (query: Choice, given: Signal) => api.call(userBilling.previewPlan, { query, ...given }),
      choose: (body: ConfirmedChoice) => api.call(userBilling.changePlan, { body }),
      cancel: () => api.call(userBilling.cancel, {}),
      reactivate: () => api.call(userBilling.reactivate, {}),
      pay: () => api.call(userBilling.pay, {}),
      portal: () => api.call(userBilling.portal, {}),
      jump: (payment: 'succeeds' | 'fails') => api.call(userBilling.jump, { body: { payment } }),
    };
  }
  const params = { id: organization.id };
  return {
    key: ['billing', organization.id],
    subscription: (given: Signal) => api.call(billing.organizationSubscription, { params, ...given }),
    invoices: (given: Signal) => api.call(billing.organizationInvoices, { params, ...given }),
    invoicePdf: (invoiceId: string) =>
      api.open(billing.organizationInvoicePdf, { params: { ...params, invoiceId } }),
    preview: (query: Choice, given: Signal) =>
      api.call(billing.previewOrganizationPlan, { params, query, ...given }),
    choose: (body: ConfirmedChoice) => api.call(billing.changeOrganizationPlan, { params, body }),
    cancel: () => api.call(billing.cancelOrganization, { params }),
    reactivate: () => api.call(billing.reactivateOrganization, { params }),
    pay: () => api.call(billing.payOrganization, { params }),
    portal: () => api.call(billing.organizationPortal, { params }),
    jump: (payment: 'succeeds' | 'fails') =>
      api.call(billing.jumpOrganization, { params, body: { payment } }),
  };
}

export function useBillingCalls() {
  return buildCalls(useSignedIn().organization);
}

export function usePlanKind(): PlanKind {
  return useSignedIn().organization === null ? 'solo' : 'organization';
}

/** True if the viewer pays and may change the plan. */
export function useMayBill(): boolean {
  return mayDo(useSignedIn().organization?.role ?? 'solo', 'billing.manage');
}

export function useSubscription(enabled = true) {
  const calls = useBillingCalls();
  return useQuery({
    queryKey: [...calls.key, 'subscription'],
    queryFn: ({ signal }) => calls.subscription({ signal }),
    select: (answer) => answer.subscription,
    enabled,
  });
}

export function useInvoices() {
  const calls = useBillingCalls();
  return useQuery({
    queryKey: [...calls.key, 'invoices'],
    queryFn: ({ signal }) => calls.invoices({ signal }),
    select: (answer) => answer.invoices,
  });
}

/** The server holds a price for a quarter of an hour. */
const PRICE_AGAIN_MS = 10 * 60_000;

export function usePreview(choice: Choice | undefined) {
  const calls = useBillingCalls();
  return useQuery({
    queryKey: [...calls.key, 'preview', choice],
    queryFn: ({ signal }) => {
      if (choice === undefined) throw new Error('nothing is chosen');
      return calls.preview(choice, { signal });
    },
    select: (answer) => answer.preview,
    enabled: choice !== undefined,
    // A price is valid only for the moment, so it is fetched each time.
    gcTime: 0,
    refetchInterval: PRICE_AGAIN_MS,
    retry: false,
  });
}

/** Whatever was said before about plan, usage and limits is asked for again. */
function useRefresh() {
  const client = useQueryClient();
  const { key } = useBillingCalls();
  return () => {
    void client.invalidateQueries({ queryKey: key });
    void client.invalidateQueries({ queryKey: ['usage'] });
    void session.check();
  };
}

interface Changed {
  readonly subscription?: Subscription | undefined;
  readonly checkoutUrl?: string | undefined;
}

/** Continues at the payment provider if a payment is needed there. */
function goOn({ checkoutUrl }: Changed): boolean {
  if (checkoutUrl === undefined) return false;
  window.location.assign(checkoutUrl);
  return true;
}

/** Another tab or the provider has changed the subscription since the page read it. */
function refreshAfterConflict(error: Error, refresh: () => void): void {
  if (findRefusal(error)?.status === 409) refresh();
}

function tellFailure(error: Error, withReason: (reason: string) => string, without: string): void {
  const refusal = findRefusal(error);
  notifyFailure(refusal === undefined ? without : withReason(refusal.message), error);
}

export function useChoosePlan(onDone: () => void) {
  const calls = useBillingCalls();
  const refresh = useRefresh();
  return useAction({
    mutationFn: (choice: ConfirmedChoice) => calls.choose(choice),
    onSuccess: (answer, { plan }) => {
      onDone();
      if (goOn(answer)) return;
      refresh();
      const next = answer.subscription?.nextPlan;
      const { name } = PLANS[plan];
      notifySuccess(
        next?.plan === plan
          ? `Your plan changes to ${name} at the end of your current billing period.`
          : `Successfully upgraded to ${name} plan!`,
      );
    },
    onError: (error) => {
      refreshAfterConflict(error, refresh);
      tellFailure(
        error,
        (reason) => `Failed to upgrade: ${reason}`,
        'Failed to upgrade plan. Please try again.',
      );
    },
  });
}

export function useCancel(onDone: () => void) {
  const calls = useBillingCalls();
  const refresh = useRefresh();
  return useAction({
    mutationFn: () => calls.cancel(),
    onSuccess: () => {
      onDone();
      refresh();
      notifySuccess(TEXTS.subscriptionCancelled);
    },
    onError: (error) => {
      refreshAfterConflict(error, refresh);
      tellFailure(
        error,
        (reason) => `Failed to cancel subscription: ${reason}`,
        'Failed to cancel subscription. Please try again.',
      );
    },
  });
}

/** Something else that is done with one click; `done` is said when it was. */
export function useBillingAct(what: 'reactivate' | 'pay', done: string) {
  const calls = useBillingCalls();
  const refresh = useRefresh();
  return useAction({
    mutationFn: (): Promise<Changed> => calls[what](),
    onSuccess: (answer) => {
      if (goOn(answer)) return;
      refresh();
      notifySuccess(done);
    },
    onError: (error) => {
      refreshAfterConflict(error, refresh);
      tellFailure(error, (reason) => reason, TEXTS.networkError);
    },
  });
}

export function usePortal() {
  const calls = useBillingCalls();
  return useAction({
    mutationFn: () => calls.portal(),
    onSuccess: ({ portalUrl }) => window.location.assign(portalUrl),
    onError: (error) => tellFailure(error, (reason) => reason, TEXTS.networkError),
  });
}

export function useTestClock() {
  const calls = useBillingCalls();
  const refresh = useRefresh();
  return useAction({
    mutationFn: calls.jump,
    onSuccess: refresh,
    onError: (error) => tellFailure(error, (reason) => reason, TEXTS.networkError),
  });
}
