import {
  type BillingCycle,
  type ChangePreview,
  computePrice,
  formatCounted,
  getLimit,
  PLANS,
  type PlanId,
  type PlanKind,
  UNLIMITED,
} from '@throughline/contract';
import { AppError } from '../../platform/http/errors.ts';
import { decideEffect, type Effect } from './proration.ts';
import type { SubscriptionState, Terms } from './subscription.ts';

/** A requested plan. Without a billing cycle, the current paid cycle is used; without a current paid cycle, monthly billing. */
export interface Choice {
  readonly plan: PlanId;
  readonly billingCycle?: BillingCycle | undefined;
}

/** For this long, the cost shown in a preview is the cost that is charged. */
const PRICE_HOLDS_MS = 15 * 60_000;

/**
 * Returns the instant from which an immediate change is priced: the time of the confirmed preview if it is recent and in the current
 * period, otherwise now.
 */
export function findPricingInstant(
  pricedAt: string | undefined,
  { period }: SubscriptionState,
  now: Date,
): Date {
  if (pricedAt === undefined) return now;
  const shown = new Date(pricedAt);
  const holds = shown <= now && now.getTime() - shown.getTime() <= PRICE_HOLDS_MS && shown >= period.start;
  return holds ? shown : now;
}

/** The usage that a plan must allow. */
export interface Held {
  readonly members: number;
  readonly projects: number;
}

/**
 * Checks a choice of plan and returns when it takes effect.
 * @throws AppError `plan_not_available`, `plan_limit`, `subscription_state`
 */
export function validatePlanChange(
  choice: Choice,
  { kind, state, held }: { readonly kind: PlanKind; readonly state: SubscriptionState; readonly held: Held },
): { readonly terms: Terms; readonly effect: Exclude<Effect, 'unclear'> } {
  const plan = PLANS[choice.plan];
  refuseOtherKind(plan.id, kind);
  if (state.status === 'past_due')
    throw new AppError('subscription_state', 'The last payment failed. Pay first, or cancel.');
  if (plan.price === 0 && (state.status === 'cancelled' || state.status === 'expired'))
    throw new AppError(
      'subscription_state',
      'The free trial can be used once, and it has ended. Choose another plan.',
    );
  const usual = state.status === 'active' ? state.terms.cycle : 'monthly';
  const terms = { plan: plan.id, cycle: choice.billingCycle ?? usual };
  const effect = plan.price === 0 && state.status === 'trialing' ? 'none' : decideEffect(state, terms);
  if (effect === 'unclear')
    throw new AppError(
      'subscription_state',
      'A larger plan with a shorter billing cycle cannot start now. Upgrade with the yearly cycle, then change the cycle.',
    );
  refuseTooSmall(plan.id, held);
  return { terms, effect };
}

/** @throws AppError `plan_not_available` if the plan is for the other kind of account */
export function refuseOtherKind(plan: PlanId, kind: PlanKind): void {
  if (PLANS[plan].kinds.includes(kind)) return;
  const whom = kind === 'solo' ? 'solo users' : 'organizations';
  throw new AppError('plan_not_available', `${PLANS[plan].name} is not a plan for ${whom}.`);
}

/** Checks that a plan allows the current usage. @throws AppError `plan_limit` */
export function refuseTooSmall(plan: PlanId, held: Held): void {
  const over = (['members', 'projects'] as const)
    .map((gate) => ({ gate, limit: getLimit(gate, plan), used: held[gate] }))
    .filter(({ limit, used }) => limit !== UNLIMITED && used > limit);
  const [first] = over;
  if (first === undefined) return;
  const count = (of: (each: (typeof over)[number]) => number) =>
    over.map((each) => formatCounted(of(each), each.gate === 'members' ? 'member' : 'project')).join(' and ');
  const message = `${PLANS[plan].name} includes ${count(({ limit }) => limit)}, and you have ${count(({ used }) => used)}. Remove ${count(({ limit, used }) => used - limit)} first.`;
  throw new AppError('plan_limit', message, { details: first });
}

/** Builds the preview of a choice. Calls `cost` only for an immediate change. */
export async function buildPreview(
  { terms, effect }: ReturnType<typeof validatePlanChange>,
  given: {
    readonly state: SubscriptionState;
    readonly now: Date;
    readonly cost: () => Promise<{ readonly due: number; readonly lines: ChangePreview['lines'] }>;
  },
): Promise<ChangePreview> {
  const price = computePrice(terms.plan, terms.cycle);
  const rest = { price, billingCycle: terms.cycle };
  if (effect === 'now') {
    const { due, lines } = await given.cost();
    return {
      takesEffect: 'now',
      at: given.now.toISOString(),
      dueAmount: due / 100,
      lines: [...lines],
      ...rest,
    };
  }
  const at = given.state.period.end.toISOString();
  const lines = [{ description: `${PLANS[terms.plan].name} (${terms.cycle})`, amount: price }];
  return { takesEffect: 'at_period_end', at, dueAmount: price, lines, ...rest };
}
