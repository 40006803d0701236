const HOUR_MS = 3_600_000;
/** A time counts once the clock has read at least this time for so long of running. */
export const HOLD_MS = 24 * HOUR_MS;

/**
 * What was observed of the clock, so that nothing is deleted because it was set ahead. A time is a candidate when it is first read; while the
 * server runs it goes on by what has run, and back to what the clock reads when that is less. Held for a day, it is trusted, and what the clock
 * reads then is the next candidate.
 */
export interface HeldTime {
  /** Nothing is deleted by a later time than this; null until a day was observed. */
  readonly trustedMs: number | null;
  readonly candidateMs: number;
  /** How long the candidate has held while the server ran. */
  readonly heldMs: number;
}

/** The clock as it was read, and how long the server ran since it was read before. */
export interface Reading {
  readonly nowMs: number;
  readonly ranMs: number;
}

export function observe(held: HeldTime | undefined, { nowMs, ranMs }: Reading): HeldTime {
  if (held === undefined) return { trustedMs: null, candidateMs: nowMs, heldMs: 0 };
  const trustedMs = held.trustedMs === null ? null : Math.min(nowMs, held.trustedMs + ranMs);
  const candidateMs = Math.min(nowMs, held.candidateMs + ranMs);
  const heldMs = held.heldMs + ranMs;
  if (heldMs < HOLD_MS) return { trustedMs, candidateMs, heldMs };
  return { trustedMs: Math.max(trustedMs ?? candidateMs, candidateMs), candidateMs: nowMs, heldMs: 0 };
}
