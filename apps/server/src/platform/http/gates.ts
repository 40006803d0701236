import type { GateRefusal } from '@throughline/contract';
import { AppError } from './errors.ts';

/** @throws AppError `plan_limit` where a plan's gate is shut */
export function refuseAt(refusal: GateRefusal | undefined): void {
  if (refusal === undefined) return;
  const { message, gate, limit, used, upgradeTo } = refusal;
  throw new AppError('plan_limit', message, {
    details: { upgradeRequired: true, gate, limit, used, upgradeTo },
  });
}
