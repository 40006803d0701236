const HOUR_MS = 3_600_000;
/** Delay between hiding and deleting traces after a downgrade, so that a customer who changes their mind gets the traces back. */
export const GRACE_MS = 24 * HOUR_MS;

/**
 * How often the current retentions are recorded. A retention can have been in effect for up to this long after the time at which it was
 * last seen.
 */
export const SWEEP_MS = 6 * HOUR_MS;

/** A retention of a project's plan, with the times at which it was first and last seen. */
export interface SeenRetention {
  readonly hours: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/**
 * Returns the time before which traces can be deleted, because all traces from before that time have been hidden for a day. `seen` contains
 * the plan's current and earlier retentions.
 */
export function computeDeletionCutoff(seen: readonly SeenRetention[], currentHours: number, now: Date): Date {
  const dayAgo = now.getTime() - GRACE_MS;
  const current = seen.find(({ hours }) => hours === currentHours);
  const isNew = current === undefined || current.firstSeenAt.getTime() > dayAgo;
  // If `isNew`, the plan changed within the last day, or it changed earlier while no server ran to update `lastSeenAt`. The two cases look
  // the same, so every earlier retention is treated as if it had been in effect within the last day.
  const holding = seen.filter(({ lastSeenAt }) => isNew || lastSeenAt.getTime() >= dayAgo - SWEEP_MS);
  const longest = Math.max(currentHours, ...holding.map(({ hours }) => hours));
  return new Date(dayAgo - longest * HOUR_MS);
}
