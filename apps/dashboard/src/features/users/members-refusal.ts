import { nextPlan, type PlanId, TEXTS } from '@throughline/contract';

/** Why there is no room, and the plan that has some; null where none has. */
export interface MembersRefusal {
  readonly message: string;
  readonly upgradeTo: PlanId | null;
}

/** The free plan's refusal, shown before anything is asked of the server. */
export const FREE_PLAN_REFUSAL: MembersRefusal = {
  message: TEXTS.freePlanMembers,
  upgradeTo: nextPlan('free_trial', 'organization')?.id ?? null,
};
