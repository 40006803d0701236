import fc from 'fast-check';
import { v7 } from 'uuid';

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
/** Rows start within so many hours from here. */
export const BASE_MS = Date.parse('2026-11-20T00:00:00Z');
export const HOURS = 6;

/** What of a trace is rolled up. */
export interface Row {
  readonly id: string;
  readonly startMs: number;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly status: number;
  readonly durationMicros: number;
  readonly steps: number;
  readonly user: string;
  readonly heap: number | null;
}

export const aRow = fc
  .record({
    atMs: fc.nat(HOURS * HOUR_MS - 1),
    method: fc.constantFrom('GET', 'post'),
    place: fc.constantFrom(
      { path: '/orders/17', route: '/orders/:id' },
      { path: '/orders/18', route: '' },
      { path: '/', route: '' },
    ),
    status: fc.constantFrom(0, 200, 204, 302, 404, 500),
    durationMicros: fc.integer({ min: 1, max: 5_000_000 }),
    steps: fc.nat(50),
    user: fc.constantFrom('', 'ada', 'grace'),
    heap: fc.option(fc.nat(100)),
  })
  .map(
    ({ atMs, place, ...rest }): Row => ({
      ...rest,
      ...place,
      id: v7({ msecs: BASE_MS + atMs }),
      startMs: BASE_MS + atMs,
    }),
  );
