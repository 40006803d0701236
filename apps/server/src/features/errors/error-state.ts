import type { ErrorState } from '@throughline/contract';

/** A decision about an error. */
export interface Decision {
  readonly state: 'open' | 'resolved' | 'ignored';
  /** Resolved in the release after this one; null: at once. */
  readonly afterRelease: string | null;
  readonly changedAt: Date;
}

/** When an error was seen, in epoch µs. */
export interface Seen {
  readonly firstMicros: bigint;
  /** The last time in each release. */
  readonly lastByRelease: ReadonlyMap<string, bigint>;
}

const DAY_MICROS = 86_400_000_000n;

/** Returns an error's state: the decision about it, unless it was seen again, else by its age. */
export function findState(seen: Seen, decision: Decision | undefined, nowMicros: bigint): ErrorState {
  if (decision?.state === 'ignored') return 'ignored';
  if (decision?.state === 'resolved') return isSeenAgain(seen, decision) ? 'reopened' : 'resolved';
  return nowMicros - seen.firstMicros < DAY_MICROS ? 'new' : 'ongoing';
}

/** True if the error was seen after it was resolved: in any release, or in one other than that before the fix. */
function isSeenAgain({ lastByRelease }: Seen, { changedAt, afterRelease }: Decision): boolean {
  const resolvedMicros = BigInt(changedAt.getTime()) * 1000n;
  return [...lastByRelease].some(
    ([release, last]) => last > resolvedMicros && (afterRelease === null || release !== afterRelease),
  );
}
