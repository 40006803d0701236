const HOUR_MS = 3_600_000;
/** A time becomes trusted when the clock has read at least that time throughout 24 hours of running time. */
export const CONFIRM_MS = 24 * HOUR_MS;

/**
 * Tracks clock readings, so that a clock that is set ahead deletes no traces. A reading becomes the candidate, which then advances with the
 * server's running time. If the clock reads less than the candidate, the candidate is set back to the clock. After a day of running time,
 * the candidate becomes the trusted time, and the current reading becomes the next candidate.
 */
export interface TrustedTime {
  /** The latest time that can be used for deletion; null before the first complete day of running time. */
  readonly trustedMs: number | null;
  readonly candidateMs: number;
  /** Running time for which the candidate was confirmed. */
  readonly heldMs: number;
}

/** A clock reading, and the server's running time since the previous reading. */
export interface ClockReading {
  readonly nowMs: number;
  readonly ranMs: number;
}

export function observe(held: TrustedTime | undefined, { nowMs, ranMs }: ClockReading): TrustedTime {
  if (held === undefined) return { trustedMs: null, candidateMs: nowMs, heldMs: 0 };
  const trustedMs = held.trustedMs === null ? null : Math.min(nowMs, held.trustedMs + ranMs);
  const candidateMs = Math.min(nowMs, held.candidateMs + ranMs);
  const heldMs = held.heldMs + ranMs;
  if (heldMs < CONFIRM_MS) return { trustedMs, candidateMs, heldMs };
  return { trustedMs: candidateMs, candidateMs: nowMs, heldMs: 0 };
}
