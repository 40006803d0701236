import type { Clock } from 'throughline/clock';

/** A clock that stands still. `advance` moves the system time and the monotonic time forward; `set` changes only the system time. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
  set(instant: Date): void;
}

export function createFakeClock(start: Date = new Date()): FakeClock {
  let nowMs = start.getTime();
  let ranMs = 0;
  return {
    now: () => new Date(nowMs),
    nowMicros: () => BigInt(Math.round(nowMs)) * 1000n,
    monotonicMs: () => ranMs,
    advance(ms) {
      ranMs += ms;
      nowMs += ms;
    },
    set(instant) {
      nowMs = instant.getTime();
    },
  };
}
