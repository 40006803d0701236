/** The state of a rule's metric relative to the threshold. All times are epoch ms. */
export interface MetricState {
  readonly firing: boolean;
  /** When the metric rose above the threshold. Null if the metric is not above it, or if an incident is open. */
  readonly aboveSince: number | null;
  /** When the metric fell to the recovery bound or below. Null if the metric is higher, or if no incident is open. */
  readonly belowSince: number | null;
  /**
   * The highest value since the metric rose above the threshold, until the incident is over. Null if the metric is not above the threshold
   * and no incident is open.
   */
  readonly peak: number | null;
  readonly checkedAt: number | null;
}

export interface Bounds {
  readonly threshold: number;
  /** The recovery bound: an incident ends once the metric has stayed at or below this value. */
  readonly recovery: number;
  /** How long the metric must stay above the threshold, or at or below the recovery bound. */
  readonly lastingMs: number;
}

/**
 * Maximum time between two checks. After a longer gap, for example because no server ran, it is unknown how the metric developed in the
 * meantime.
 */
export const MAX_GAP_MS = 4 * 60_000;

/**
 * The state after a check, and what changed: an incident began (with the time when it began), or an incident ended. `change` is null if
 * neither happened.
 */
export interface Advance {
  readonly standing: MetricState;
  readonly change:
    | { readonly kind: 'fires'; readonly since: number; readonly peak: number }
    | { readonly kind: 'recovers' }
    | null;
}

/**
 * Computes the state after one more measurement. An incident begins once the metric has been above the threshold for the rule's minutes,
 * and ends once the metric has been at or below the recovery bound for the same number of minutes. Without a value (no requests), no
 * incident begins or ends.
 */
export function advance(before: MetricState, bounds: Bounds, atMs: number, value: number | null): Advance {
  const isGap = before.checkedAt === null || atMs - before.checkedAt > MAX_GAP_MS;
  const { firing } = before;
  const isAbove = value !== null && value > bounds.threshold;
  const isBelow = value !== null && value <= bounds.recovery;
  const aboveSince = firing || !isAbove ? null : ((isGap ? null : before.aboveSince) ?? atMs);
  const belowSince = !firing || !isBelow ? null : ((isGap ? null : before.belowSince) ?? atMs);
  const continues = firing || (aboveSince !== null && aboveSince === before.aboveSince);
  const peak = firing || isAbove ? findHighest(continues ? before.peak : null, value) : null;
  if (aboveSince !== null && peak !== null && atMs - aboveSince >= bounds.lastingMs) {
    const standing = { firing: true, aboveSince: null, belowSince: null, peak, checkedAt: atMs };
    return { standing, change: { kind: 'fires', since: aboveSince, peak } };
  }
  if (belowSince !== null && atMs - belowSince >= bounds.lastingMs) {
    const standing = { firing: false, aboveSince: null, belowSince: null, peak: null, checkedAt: atMs };
    return { standing, change: { kind: 'recovers' } };
  }
  return { standing: { firing, aboveSince, belowSince, peak, checkedAt: atMs }, change: null };
}

function findHighest(before: number | null, value: number | null): number | null {
  if (before === null || value === null) return before ?? value;
  return Math.max(before, value);
}
