import { formatLimit, getLimit, PLANS, type PlanId } from '@throughline/contract';

/** Lists what a change of plan takes away, as sentences. `since` begins the sentence about retention: "From 2026-12-23 on". */
export function describeLosses(from: PlanId, to: PlanId, since: string): readonly string[] {
  const kept = getLimit('retention', to);
  return [
    ...(kept < getLimit('retention', from)
      ? [`${since}, traces older than ${formatLimit('retention', kept)} are hidden, and deleted a day later.`]
      : []),
    ...(PLANS[from].aiInsights && !PLANS[to].aiInsights ? ['AI insights end, too.'] : []),
  ];
}
