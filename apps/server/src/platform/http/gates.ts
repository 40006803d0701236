import { checkLimit, type ErrorDetails, type GatedAccount, type GateRefusal } from '@throughline/contract';
import { AppError } from './errors.ts';

const MICROS_AN_HOUR = 3_600_000_000;

/** @throws AppError `plan_limit` where a plan's gate is shut */
export function assertWithinLimit(refusal: GateRefusal | undefined): void {
  if (refusal === undefined) return;
  throw new AppError('plan_limit', refusal.message, { details: detailsOfGate(refusal) });
}

/** Builds a refusal's details for programs. Screens offer the upgrade by them. */
export function detailsOfGate({ gate, limit, used, upgradeTo }: GateRefusal): ErrorDetails {
  return { upgradeRequired: true, gate, limit, used, upgradeTo };
}

/** Why a trace that started at an instant, µs, is not taken any more: its plan would not keep it. */
export function refusalOfAge(
  account: GatedAccount,
  startMicros: bigint,
  nowMicros: bigint,
): GateRefusal | undefined {
  return checkLimit('retention', account, Number(nowMicros - startMicros) / MICROS_AN_HOUR);
}
