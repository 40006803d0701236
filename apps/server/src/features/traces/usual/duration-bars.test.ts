import { MAX_DURATION_BARS } from '@throughline/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildBars, DURATION_EDGES } from './duration-bars.ts';

/** Counts durations as the store does: by the last edge that is not above the duration. */
function countByEdge(durations: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const micros of durations) {
    const edge = DURATION_EDGES.findLast((each) => each <= micros) ?? 0;
    counts.set(edge, (counts.get(edge) ?? 0) + 1);
  }
  return counts;
}

test('the edges between which durations are counted are whole microseconds, and each edge is at most 26 % above the edge before', () => {
  for (const [at, edge] of DURATION_EDGES.slice(2).entries()) {
    expect(Number.isInteger(edge)).toBe(true);
    expect(edge).toBeGreaterThan(DURATION_EDGES[at + 1] ?? 0);
    expect(edge / (DURATION_EDGES[at + 1] ?? 0)).toBeLessThanOrEqual(1.26);
  }
});

const micros = fc.oneof(fc.nat(20), fc.nat(100_000), fc.nat(100_000_000_000));

test('a few bars without gaps count each request once, and cover the duration of the request that is shown', () => {
  fc.assert(
    fc.property(fc.array(micros, { minLength: 1, maxLength: 50 }), micros, (durations, own) => {
      const bars = buildBars(countByEdge(durations), own);
      expect(bars.length).toBeLessThanOrEqual(MAX_DURATION_BARS);
      expect(bars.length).toBeGreaterThanOrEqual(5);
      for (const [at, { from, to, requests }] of bars.entries()) {
        expect(to).toBeGreaterThan(from);
        expect(bars[at + 1]?.from ?? to).toBe(to);
        const within = durations.filter((each) => each >= from * 1000 && each < to * 1000);
        expect(requests).toBe(within.length);
      }
      expect(bars.some(({ from, to }) => own >= from * 1000 && own < to * 1000)).toBe(true);
    }),
  );
});
