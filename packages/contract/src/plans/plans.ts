/** Value of a limit that means "no limit". */
export const UNLIMITED = -1;

export type PlanKind = 'solo' | 'organization';

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  /** Price in US dollars per month. */
  readonly price: number;
  readonly kinds: readonly PlanKind[];
  readonly maxMembers: number;
  readonly maxProjects: number;
  readonly maxTracesPerMonth: number;
  /** Number of hours for which a trace can be read, counted from the start of the trace. */
  readonly retentionHours: number;
  /** Number of days after registration until ingest stops; undefined if the plan does not end automatically. */
  readonly trialDays?: number;
  readonly aiInsights: boolean;
  readonly popular: boolean;
}

/** Ids of all plans, from the smallest plan to the largest. An upgrade leads to the next plan for the account's kind. */
export const PLAN_IDS = [
  'free_trial',
  'starter',
  'solo_developer',
  'pro',
  'enterprise_basic',
  'enterprise_plus',
] as const;

export type PlanId = (typeof PLAN_IDS)[number];

const DAY = 24;
const organization = ['organization'] as const;
const solo = ['solo'] as const;
const usual = { aiInsights: false, popular: false } as const;

/** All plans. The texts about plans are generated from this table. */
export const PLANS: Readonly<Record<PlanId, Plan>> = {
  free_trial: {
    ...usual,
    id: 'free_trial',
    name: 'Free Trial',
    price: 0,
    kinds: ['solo', 'organization'],
    maxMembers: 1,
    maxProjects: 1,
    maxTracesPerMonth: 1_000,
    retentionHours: 1,
    trialDays: 7,
  },
  starter: {
    ...usual,
    id: 'starter',
    name: 'Starter',
    price: 19,
    kinds: solo,
    maxMembers: 1,
    maxProjects: 2,
    maxTracesPerMonth: 200_000,
    retentionHours: 7 * DAY,
  },
  solo_developer: {
    ...usual,
    id: 'solo_developer',
    name: 'Solo Developer',
    price: 49,
    kinds: solo,
    maxMembers: 1,
    maxProjects: 5,
    maxTracesPerMonth: 500_000,
    retentionHours: 7 * DAY,
  },
  pro: {
    ...usual,
    id: 'pro',
    name: 'Pro',
    price: 149,
    kinds: organization,
    maxMembers: 15,
    maxProjects: 5,
    maxTracesPerMonth: 2_000_000,
    retentionHours: 21 * DAY,
    popular: true,
  },
  enterprise_basic: {
    ...usual,
    id: 'enterprise_basic',
    name: 'Enterprise Basic',
    price: 499,
    kinds: organization,
    maxMembers: 25,
    maxProjects: UNLIMITED,
    maxTracesPerMonth: 10_000_000,
    retentionHours: 30 * DAY,
  },
  enterprise_plus: {
    ...usual,
    id: 'enterprise_plus',
    name: 'Enterprise Plus',
    price: 799,
    kinds: organization,
    maxMembers: 50,
    maxProjects: UNLIMITED,
    maxTracesPerMonth: 25_000_000,
    retentionHours: 90 * DAY,
    aiInsights: true,
  },
};

/** Parses a plan id. `free` is an alias of `free_trial`. Returns undefined for an unknown plan. */
export function readPlanId(text: string): PlanId | undefined {
  if (text === 'free') return 'free_trial';
  return PLAN_IDS.find((id) => id === text);
}

export const BILLING_CYCLES = ['monthly', 'yearly'] as const;
export type BillingCycle = (typeof BILLING_CYCLES)[number];

/** Number of monthly payments that a yearly subscription costs. */
export const MONTHS_PAID_A_YEAR = 10;

/** Computes the price of one period of a plan, in US dollars. */
export function computePrice(plan: PlanId, cycle: BillingCycle): number {
  return PLANS[plan].price * (cycle === 'yearly' ? MONTHS_PAID_A_YEAR : 1);
}

/** Returns a plan's position in `PLAN_IDS`, starting from 0. */
export function planRank(plan: PlanId): number {
  return PLAN_IDS.indexOf(plan);
}

/** Lists the plans for an account of this kind, from the smallest plan to the largest. */
export function listPlansOfKind(kind: PlanKind): readonly Plan[] {
  return PLAN_IDS.map((id) => PLANS[id]).filter((plan) => plan.kinds.includes(kind));
}

/** Returns the next larger plan for an account of this kind; undefined for the largest plan. */
export function nextPlan(current: PlanId, kind: PlanKind): Plan | undefined {
  return listPlansOfKind(kind).find((plan) => planRank(plan.id) > planRank(current));
}

/** True if a plan's limit allows one more item. */
export function fitsLimit(limit: number, used: number): boolean {
  return limit === UNLIMITED || used < limit;
}
