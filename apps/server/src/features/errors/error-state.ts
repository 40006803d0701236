import type { ErrorState } from '@throughline/contract';
import { toMicros } from '../../platform/clock.ts';

/** A decision about an error. */
export interface Decision {
  readonly state: 'open' | 'resolved' | 'ignored';
  /**
   * The last release without the fix: occurrences in it do not reopen the error. Null if an occurrence in any release reopens the error.
   */
  readonly afterRelease: string | null;
  readonly changedAt: Date;
}

/** When an error occurred, in epoch µs. */
export interface Seen {
  readonly firstMicros: bigint;
  /** Time of the last occurrence in each release. */
  readonly lastByRelease: ReadonlyMap<string, bigint>;
}

const DAY_MICROS = 86_400_000_000n;

/**
 * Returns an error's state. With a decision: ignored, resolved, or reopened if the resolved error occurred again. Without such a decision:
 * new or ongoing, by the error's age.
 */
export function findState(seen: Seen, decision: Decision | undefined, nowMicros: bigint): ErrorState {
  if (decision?.state === 'ignored') return 'ignored';
  if (decision?.state === 'resolved') return isSeenAgain(seen, decision) ? 'reopened' : 'resolved';
  return nowMicros - seen.firstMicros < DAY_MICROS ? 'new' : 'ongoing';
}

/**
 * True if the error occurred again after it was resolved. Occurrences in the release `afterRelease`, which does not contain the fix, do not
 * count.
 */
function isSeenAgain({ lastByRelease }: Seen, { changedAt, afterRelease }: Decision): boolean {
  const resolvedMicros = toMicros(changedAt.getTime());
  return [...lastByRelease].some(
    ([release, last]) => last > resolvedMicros && (afterRelease === null || release !== afterRelease),
  );
}
