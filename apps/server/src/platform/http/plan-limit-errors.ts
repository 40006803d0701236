import {
  type AccountPlan,
  checkLimit,
  type ErrorDetails,
  type PlanLimitExceeded,
} from '@throughline/contract';
import { AppError } from './errors.ts';

const MICROS_AN_HOUR = 3_600_000_000;

/** Throws an error if `refusal` is given. @throws AppError `plan_limit` */
export function assertWithinLimit(refusal: PlanLimitExceeded | undefined): void {
  if (refusal === undefined) return;
  throw new AppError('plan_limit', refusal.message, { details: toErrorDetails(refusal) });
}

/** Builds the machine-readable details of a limit error. The dashboard uses the details to offer an upgrade. */
export function toErrorDetails({ gate, limit, used, upgradeTo }: PlanLimitExceeded): ErrorDetails {
  return { upgradeRequired: true, gate, limit, used, upgradeTo };
}

/**
 * Returns the exceeded limit if a trace that started at `startMicros` is older than the retention of the account's plan. Returns undefined
 * if the trace is accepted.
 */
export function checkAge(
  account: AccountPlan,
  startMicros: bigint,
  nowMicros: bigint,
): PlanLimitExceeded | undefined {
  return checkLimit('retention', account, Number(nowMicros - startMicros) / MICROS_AN_HOUR);
}
