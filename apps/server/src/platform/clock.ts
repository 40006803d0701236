/** The current time, passed in everywhere so that tests can set it. */
export interface Clock {
  now(): Date;
  /** Epoch µs. */
  nowMicros(): bigint;
  /** Milliseconds that the process has run, whatever the clock is set to. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMicros: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)),
  monotonicMs: () => performance.now(),
};
