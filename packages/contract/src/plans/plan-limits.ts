import { formatCount, formatCounted } from '../format/formats.ts';
import { TEXTS } from '../format/texts.ts';
import { fitsLimit, nextPlan, PLANS, type Plan, type PlanId, type PlanKind, UNLIMITED } from './plans.ts';

/** Resources that a plan limits. */
export type PlanLimit = 'members' | 'projects' | 'traces' | 'insights' | 'retention';

/** Describes a plan limit that was reached: the limit, the usage, and the plan that raises the limit. */
export interface PlanLimitExceeded {
  readonly gate: PlanLimit;
  /** Message for the user with the limit, the usage and the remedy. */
  readonly message: string;
  readonly limit: number;
  readonly used: number;
  /** A larger plan whose limit is sufficient; null if there is none. */
  readonly upgradeTo: PlanId | null;
}

const LIMITS: Readonly<Record<PlanLimit, (plan: Plan) => number>> = {
  members: (plan) => plan.maxMembers,
  projects: (plan) => plan.maxProjects,
  traces: (plan) => plan.maxTracesPerMonth,
  insights: (plan) => (plan.aiInsights ? UNLIMITED : 0),
  retention: (plan) => plan.retentionHours,
};

/** Returns a plan's limit for a resource; -1 if it is unlimited. */
export function getLimit(gate: PlanLimit, plan: PlanId): number {
  return LIMITS[gate](PLANS[plan]);
}

/** The account whose plan is checked. Only plans of the account's kind are suggested. */
export interface AccountPlan {
  readonly plan: PlanId;
  readonly kind: PlanKind;
  /** The plan in force, if a smaller plan replaces it at the end of the period. `plan` is then the smaller plan. */
  readonly planBefore?: PlanId | undefined;
}

/**
 * Checks whether the plan allows one more item. Returns undefined if the plan allows it, and otherwise the exceeded limit. For `retention`,
 * `used` is the trace's age in hours.
 */
export function checkLimit(
  gate: PlanLimit,
  account: AccountPlan,
  used: number,
): PlanLimitExceeded | undefined {
  const limit = getLimit(gate, account.plan);
  if (fitsLimit(limit, used)) return undefined;
  const { planBefore } = account;
  if (planBefore !== undefined) return describeDowngradeLimit(gate, { ...account, planBefore }, used);
  const upgradeTo = planWithRoom(gate, account, used);
  const remedy =
    upgradeTo === undefined
      ? 'No plan has a larger limit.'
      : `Upgrade to ${upgradeTo.name} for ${formatLimit(gate, LIMITS[gate](upgradeTo))}.`;
  const message =
    gate === 'members' && account.plan === 'free_trial'
      ? TEXTS.freePlanMembers
      : `${describeReason(gate, account.plan, limit, used)} ${remedy}`;
  return { gate, message, limit, used, upgradeTo: upgradeTo?.id ?? null };
}

/**
 * Describes the limit of the smaller `plan` that is about to replace `planBefore`, the plan in force. If `planBefore` allows the action,
 * suggests keeping it.
 */
function describeDowngradeLimit(
  gate: PlanLimit,
  { plan, kind, planBefore }: AccountPlan & { readonly planBefore: PlanId },
  used: number,
): PlanLimitExceeded {
  const now = PLANS[planBefore];
  const limit = getLimit(gate, plan);
  const isEnough = fitsLimit(LIMITS[gate](now), used);
  const upgradeTo = isEnough ? now : planWithRoom(gate, { plan: planBefore, kind }, used);
  const remedy =
    upgradeTo === undefined
      ? 'No plan has a larger limit.'
      : `${isEnough ? 'Keep' : 'Upgrade to'} ${upgradeTo.name} for ${formatLimit(gate, LIMITS[gate](upgradeTo))}.`;
  const message = `Your plan will change from ${now.name} to ${PLANS[plan].name}, which includes ${formatLimit(gate, limit)}, and ${formatUsed(used)}. ${remedy}`;
  return { gate, message, limit, used, upgradeTo: upgradeTo?.id ?? null };
}

function planWithRoom(gate: PlanLimit, { plan, kind }: AccountPlan, used: number): Plan | undefined {
  for (let next = nextPlan(plan, kind); next !== undefined; next = nextPlan(next.id, kind)) {
    if (fitsLimit(LIMITS[gate](next), used)) return next;
  }
  return undefined;
}

function describeReason(gate: PlanLimit, plan: PlanId, limit: number, used: number): string {
  const { name } = PLANS[plan];
  if (gate === 'insights') return `${name} does not include AI insights.`;
  if (gate === 'retention')
    return `${name} keeps traces for ${formatLimit(gate, limit)}, and this one is over ${formatAge(used)} old.`;
  return `${name} includes ${formatLimit(gate, limit)}, and ${formatUsed(used)}.`;
}

function formatUsed(used: number): string {
  return `${formatCount(used)} ${used === 1 ? 'is' : 'are'} used`;
}

/** Formats an age in whole days, or in whole hours if it is below two days. */
function formatAge(hours: number): string {
  return hours < 48 ? formatCounted(Math.floor(hours), 'hour') : formatCounted(Math.floor(hours / 24), 'day');
}

/** Formats a plan's limit in words, such as `15 members` or `7 days`. */
export function formatLimit(gate: PlanLimit, limit: number): string {
  if (gate === 'insights') return 'AI insights';
  if (gate === 'retention') {
    const days = limit / 24;
    return limit < 24 ? formatCounted(limit, 'hour') : formatCounted(days, 'day');
  }
  const thing = { members: 'member', projects: 'project', traces: 'trace' }[gate];
  const amount = limit === UNLIMITED ? `unlimited ${thing}s` : formatCounted(limit, thing);
  return gate === 'traces' ? `${amount} per month` : amount;
}

/** Lists a plan's features in words. All texts about features use this list. */
export function listFeatures(plan: Plan): string[] {
  const kept = `Traces stored for ${formatLimit('retention', plan.retentionHours)}`;
  return [
    capitalize(formatLimit('members', plan.maxMembers)),
    capitalize(formatLimit('projects', plan.maxProjects)),
    capitalize(formatLimit('traces', plan.maxTracesPerMonth)),
    kept,
    ...(plan.trialDays === undefined ? [] : [`${plan.trialDays}-day trial`]),
    ...(plan.aiInsights ? ['AI insights'] : []),
  ];
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
