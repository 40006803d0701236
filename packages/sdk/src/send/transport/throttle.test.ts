import { describe, expect, it } from 'vitest';
import { Throttle } from './throttle.ts';

describe('the throttle of the exporter', () => {
  it('waits longer after each consecutive failure, and begins with the shortest wait again after a success', () => {
    const throttle = new Throttle(60_000);
    let now = 1000;
    for (const [least, most] of [
      [250, 500],
      [500, 1000],
      [1000, 2000],
    ] as const) {
      throttle.failed(now, undefined);
      expect(throttle.pausedUntil - now).toBeGreaterThanOrEqual(least);
      expect(throttle.pausedUntil - now).toBeLessThanOrEqual(most);
      now = throttle.pausedUntil;
    }
    expect(throttle.isHopeless).toBe(true);
    throttle.succeeded();
    expect(throttle.isHopeless).toBe(false);
    throttle.failed(now, undefined);
    expect(throttle.pausedUntil - now).toBeLessThanOrEqual(500);
  });

  it('counts concurrent requests that fail as one failure', () => {
    const throttle = new Throttle(60_000);
    for (let request = 0; request < 4; request++) throttle.failed(1000, undefined);
    expect(throttle.failures).toBe(1);
  });

  it('keeps the wait that the server requested, whatever other requests return in the meantime', () => {
    const throttle = new Throttle(60_000);
    throttle.failed(1000, 30_000);
    throttle.failed(1001, undefined);
    throttle.succeeded();
    expect(throttle.pausedUntil).toBeGreaterThanOrEqual(31_000);
    expect(throttle.pausedUntil).toBeLessThanOrEqual(31_250);
  });

  it('waits a moment even if the server requests no wait', () => {
    const throttle = new Throttle(60_000);
    throttle.failed(1000, 0);
    expect(throttle.pausedUntil).toBeGreaterThanOrEqual(1100);
  });

  it('waits for the time between probes after a refusal', () => {
    const throttle = new Throttle(60_000);
    throttle.refused(1000);
    expect(throttle).toMatchObject({ isRefused: true, isHopeless: true, pausedUntil: 61_000 });
    throttle.succeeded();
    expect(throttle.isRefused).toBe(false);
  });
});
