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
import { buildRefusalText, findRefusal } from '../../shell/session/refusal.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { useAction } from '../../shell/use-action.ts';
import { notifySuccess } from '../../ui/feedback/notify-success.tsx';

const { billing, userBilling } = routes;

export interface Choice {
  readonly plan: PlanId;
  readonly billingCycle: BillingCycle;
}

/** A chosen plan and billing cycle, and the time at which the user saw the price. The server charges the price of that time. */
interface ConfirmedChoice extends Choice {
  readonly pricedAt: string;
}

type Signal = { readonly signal?: AbortSignal };

/** Returns the billing API routes of an organization, or of a solo user, behind one interface. */
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

/** True if the viewer can change the plan. */
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

/** Refetch interval of a previewed price, which the server honours for 15 minutes. */
const PRICE_AGAIN_MS = 10 * 60_000;

export function usePreview(choice: Choice) {
  const calls = useBillingCalls();
  return useQuery({
    queryKey: [...calls.key, 'preview', choice],
    queryFn: ({ signal }) => calls.preview(choice, { signal }),
    select: (answer) => answer.preview,
    // A price is valid only briefly, so each preview fetches the price again.
    gcTime: 0,
    refetchInterval: PRICE_AGAIN_MS,
    retry: false,
  });
}

/** Returns a function that fetches plan, usage and limits again. */
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

/** Opens the payment provider's page if a payment is needed. Returns true if the page was opened. */
function goOn({ checkoutUrl }: Changed): boolean {
  if (checkoutUrl === undefined) return false;
  window.location.assign(checkoutUrl);
  return true;
}

/** Fetches the subscription again after status 409: another tab or the payment provider changed the subscription after the page read it. */
function refreshAfterConflict(error: Error, refresh: () => void): void {
  if (findRefusal(error)?.status === 409) refresh();
}

const UPGRADE_FAILED = 'Failed to upgrade plan. Please try again.';
const CANCEL_FAILED = 'Failed to cancel subscription. Please try again.';

export function useChoosePlan(onDone: () => void) {
  const calls = useBillingCalls();
  const refresh = useRefresh();
  return useAction({
    failure: buildRefusalText('Failed to upgrade', { wordless: UPGRADE_FAILED, unreachable: UPGRADE_FAILED }),
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
    onError: (error) => refreshAfterConflict(error, refresh),
  });
}

export function useCancel(onDone: () => void) {
  const calls = useBillingCalls();
  const refresh = useRefresh();
  return useAction({
    failure: buildRefusalText('Failed to cancel subscription', {
      wordless: CANCEL_FAILED,
      unreachable: CANCEL_FAILED,
    }),
    mutationFn: () => calls.cancel(),
    onSuccess: () => {
      onDone();
      refresh();
      notifySuccess(TEXTS.subscriptionCancelled);
    },
    onError: (error) => refreshAfterConflict(error, refresh),
  });
}

/** Mutation for a one-click billing action; shows `done` after success. */
export function useBillingAct(what: 'reactivate' | 'pay', done: string) {
  const calls = useBillingCalls();
  const refresh = useRefresh();
  return useAction({
    failure: what === 'pay' ? 'The invoice could not be paid.' : 'The subscription could not be reactivated.',
    notifies: true,
    mutationFn: (): Promise<Changed> => calls[what](),
    onSuccess: (answer) => {
      if (goOn(answer)) return;
      refresh();
      notifySuccess(done);
    },
    onError: (error) => refreshAfterConflict(error, refresh),
  });
}

export function usePortal() {
  const calls = useBillingCalls();
  return useAction({
    failure: "The payment provider's page could not be opened.",
    notifies: true,
    mutationFn: () => calls.portal(),
    onSuccess: ({ portalUrl }) => window.location.assign(portalUrl),
  });
}

export function useTestClock() {
  const calls = useBillingCalls();
  const refresh = useRefresh();
  return useAction({
    failure: 'The clock could not be moved.',
    notifies: true,
    mutationFn: calls.jump,
    onSuccess: refresh,
  });
}
