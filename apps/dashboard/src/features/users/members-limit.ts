import {
  formatCount,
  formatCounted,
  nextPlan,
  PLANS,
  type PlanId,
  TEXTS,
  UNLIMITED,
} from '@throughline/contract';
import { findRefusal } from '../../shell/session/refusal.ts';

/** The message of a reached member limit. `upgradeTo` is the plan with a higher limit; null if no plan has a higher limit. */
export interface MembersLimit {
  readonly message: string;
  readonly upgradeTo: PlanId | null;
}

/** The message for the free plan, shown without a request to the server. */
export const FREE_PLAN_LIMIT: MembersLimit = {
  message: TEXTS.freePlanMembers,
  upgradeTo: nextPlan('free_trial', 'organization')?.id ?? null,
};

/** Returns the limit in the server's error if the organization's plan allows no further member; undefined for other errors. */
export function findMembersLimit(error: Error): MembersLimit | undefined {
  const refused = findRefusal(error);
  if (refused?.details?.upgradeRequired !== true) return undefined;
  return { message: refused.message, upgradeTo: refused.details.upgradeTo ?? null };
}

/** Describes what the plan with a higher limit includes. Returns undefined if no plan has a higher limit. */
export function describeUpgrade({ upgradeTo }: MembersLimit): string | undefined {
  if (upgradeTo === null) return undefined;
  const { name, maxMembers, maxProjects, maxTracesPerMonth, price } = PLANS[upgradeTo];
  const members = formatAmount(maxMembers, 'team member');
  const projects = formatAmount(maxProjects, 'project');
  return `${name} includes ${members}, ${projects} and ${formatCount(maxTracesPerMonth)} traces per month, for $${price} per month.`;
}

function formatAmount(limit: number, thing: string): string {
  return limit === UNLIMITED ? `unlimited ${thing}s` : formatCounted(limit, thing);
}
