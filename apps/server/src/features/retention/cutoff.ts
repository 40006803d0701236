const HOUR_MS = 3_600_000;
/** What a downgrade hides is deleted so much later: time to change one's mind. */
export const GRACE_MS = 24 * HOUR_MS;

/** How often it is looked which retentions hold: one may have held for so long after it was seen last. */
export const SWEEP_MS = 6 * HOUR_MS;

/** A retention that a project's plan had, and when that was seen first and last. */
export interface SeenRetention {
  readonly hours: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/**
 * Traces that started before this instant have been hidden for a day and may be deleted. `seen` has the plan's retention as it is now, and those that it had.
 */
export function deletionCutoff(seen: readonly SeenRetention[], currentHours: number, now: Date): Date {
  const dayAgo = now.getTime() - GRACE_MS;
  const current = seen.find(({ hours }) => hours === currentHours);
  const isNew = current === undefined || current.firstSeenAt.getTime() > dayAgo;
  // Right after a change, also one that was made while no server ran, each retention that there was may still hold.
  const holding = seen.filter(({ lastSeenAt }) => isNew || lastSeenAt.getTime() >= dayAgo - SWEEP_MS);
  const longest = Math.max(currentHours, ...holding.map(({ hours }) => hours));
  return new Date(dayAgo - longest * HOUR_MS);
}
