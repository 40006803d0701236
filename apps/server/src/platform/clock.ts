/** What time it is, handed in everywhere, so that tests can say it. */
export interface Clock {
  now(): Date;
  /** Epoch µs. */
  nowMicros(): bigint;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMicros: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)),
};
