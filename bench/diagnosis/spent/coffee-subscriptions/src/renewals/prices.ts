import type { Subscription } from '../customers/subscription-repository.ts';

const centsPerBag: Record<Subscription['plan'], number> = { taster: 1150, household: 1090, office: 980 };

function volumeRebate(bags: number): number {
  return bags >= 6 ? 0.05 : 0;
}

export function coffeeCents(plan: Subscription['plan'], bags: number): number {
  return Math.round(centsPerBag[plan] * bags * (1 - volumeRebate(bags)));
}

export function toEuros(cents: number): string {
  return (cents / 100).toFixed(2);
}
