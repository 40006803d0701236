/** How a figure stands towards the threshold of its rule. All times are epoch ms. */
export interface Standing {
  readonly firing: boolean;
  /** Since when it is above the threshold, while not firing. */
  readonly aboveSince: number | null;
  /** Since when it is below the bound of recovery, while firing. */
  readonly belowSince: number | null;
  readonly lookedAt: number | null;
}

export interface Bounds {
  readonly threshold: number;
  /** At or below this value an incident ends. */
  readonly recovery: number;
  /** How long it must be above, or below. */
  readonly lastingMs: number;
}

/** Between looks further apart, such as while no server ran, nobody knows what the figure was. */
export const MAX_GAP_MS = 4 * 60_000;

/** The standing after a look, and the change that it makes: an incident begins, since when; or it ends. */
export interface Advance {
  readonly standing: Standing;
  readonly change: { readonly kind: 'fires'; readonly since: number } | { readonly kind: 'recovers' } | null;
}

/**
 * Takes one more measurement into account. An incident begins once the figure was above the threshold for the rule's minutes, and ends
 * once it was at or below the bound for as long. Without a value (no requests) nothing begins and nothing ends.
 */
export function advance(before: Standing, bounds: Bounds, atMs: number, value: number | null): Advance {
  const isGap = before.lookedAt === null || atMs - before.lookedAt > MAX_GAP_MS;
  const { firing } = before;
  const isAbove = value !== null && value > bounds.threshold;
  const isBelow = value !== null && value <= bounds.recovery;
  const aboveSince = firing || !isAbove ? null : ((isGap ? null : before.aboveSince) ?? atMs);
  const belowSince = !firing || !isBelow ? null : ((isGap ? null : before.belowSince) ?? atMs);
  if (aboveSince !== null && atMs - aboveSince >= bounds.lastingMs) {
    const standing = { firing: true, aboveSince: null, belowSince: null, lookedAt: atMs };
    return { standing, change: { kind: 'fires', since: aboveSince } };
  }
  if (belowSince !== null && atMs - belowSince >= bounds.lastingMs) {
    const standing = { firing: false, aboveSince: null, belowSince: null, lookedAt: atMs };
    return { standing, change: { kind: 'recovers' } };
  }
  return { standing: { firing, aboveSince, belowSince, lookedAt: atMs }, change: null };
}
