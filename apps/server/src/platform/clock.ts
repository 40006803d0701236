/** The current time. Passed in everywhere so that tests can set it. */
export interface Clock {
  now(): Date;
  /** Epoch µs. */
  nowMicros(): bigint;
  /** Milliseconds since the process started, independent of the system clock. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMicros: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)),
  monotonicMs: () => performance.now(),
};

export function toMicros(ms: number): bigint {
  return BigInt(ms) * 1000n;
}
