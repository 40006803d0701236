import { checkLimit, type ErrorDetails, type GatedAccount, type GateRefusal } from '@throughline/contract';
import { AppError } from './errors.ts';

const MICROS_AN_HOUR = 3_600_000_000;

/** @throws AppError `plan_limit` if a plan's limit was reached */
export function assertWithinLimit(refusal: GateRefusal | undefined): void {
  if (refusal === undefined) return;
  throw new AppError('plan_limit', refusal.message, { details: detailsOfGate(refusal) });
}

/** Builds the machine-readable details of a limit error. Screens use them to offer an upgrade. */
export function detailsOfGate({ gate, limit, used, upgradeTo }: GateRefusal): ErrorDetails {
  return { upgradeRequired: true, gate, limit, used, upgradeTo };
}

/**
 * Builds the error for a trace, started at `startMicros`, that is older than its plan's retention; undefined
 * if it is accepted.
 */
export function refusalOfAge(
  account: GatedAccount,
  startMicros: bigint,
  nowMicros: bigint,
): GateRefusal | undefined {
  return checkLimit('retention', account, Number(nowMicros - startMicros) / MICROS_AN_HOUR);
}
