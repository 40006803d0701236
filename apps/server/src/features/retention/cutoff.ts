const HOUR_MS = 3_600_000;
/** Delays deletion after a downgrade, so that the customer can change their mind before hidden traces are deleted. */
export const GRACE_MS = 24 * HOUR_MS;

/** Sets how often the current retentions are recorded. A retention can have applied for up to this long after it was last seen. */
export const SWEEP_MS = 6 * HOUR_MS;

/** A retention of a project's plan, with the times when it was first and last seen. */
export interface SeenRetention {
  readonly hours: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** Returns the time before which traces can be deleted: they have been hidden for a day. `seen` holds the plan's current and earlier retentions. */
export function deletionCutoff(seen: readonly SeenRetention[], currentHours: number, now: Date): Date {
  const dayAgo = now.getTime() - GRACE_MS;
  const current = seen.find(({ hours }) => hours === currentHours);
  const isNew = current === undefined || current.firstSeenAt.getTime() > dayAgo;
  // Right after a change, even one made while no server ran, every earlier retention can still apply.
  const holding = seen.filter(({ lastSeenAt }) => isNew || lastSeenAt.getTime() >= dayAgo - SWEEP_MS);
  const longest = Math.max(currentHours, ...holding.map(({ hours }) => hours));
  return new Date(dayAgo - longest * HOUR_MS);
}
