import { nextPlan, type PlanId, TEXTS } from '@throughline/contract';

/** Message that the member limit is reached, and the plan with a higher limit; null if no plan has one. */
export interface MembersRefusal {
  readonly message: string;
  readonly upgradeTo: PlanId | null;
}

/** The message for the free plan, shown without a request to the server. */
export const FREE_PLAN_REFUSAL: MembersRefusal = {
  message: TEXTS.freePlanMembers,
  upgradeTo: nextPlan('free_trial', 'organization')?.id ?? null,
};
