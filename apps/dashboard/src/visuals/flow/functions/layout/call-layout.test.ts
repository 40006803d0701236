import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutCalls } from './call-layout.ts';
import { FUNCTION_CARD, type LayoutEdge, type LayoutFunction, type Point } from './layout-types.ts';

const called = (id: number, lane?: string, apart = false): LayoutFunction => ({ id: `f${id}`, lane, apart });
const edge = (caller: number, callee: number): LayoutEdge => ({
  id: `f${caller} f${callee}`,
  caller: `f${caller}`,
  callee: `f${callee}`,
  labelled: false,
  isStraight: false,
});
/** Each function is called by a function with a smaller number, so that no cycle is possible. */
const tree = (size: number, lane?: string) => ({
  functions: Array.from({ length: size }, (_, id) => called(id, lane)),
  edges: Array.from({ length: size - 1 }, (_, index) => edge(Math.floor(index / 4), index + 1)),
});

function countOverlaps(cards: Iterable<Point>): number {
  const all = [...cards];
  return all.reduce((sum, a, index) => {
    const beside = all
      .slice(index + 1)
      .filter((b) => Math.abs(a.x - b.x) < FUNCTION_CARD.width && Math.abs(a.y - b.y) < FUNCTION_CARD.height);
    return sum + beside.length;
  }, 0);
}

describe('the layout of functions', () => {
  it('has one card for each function of a large graph, even if a function is listed before its main caller', () => {
    const { functions, edges } = tree(150);
    // The first edge to a function is its main edge. The first two edges are from callers that come after their callees in `functions`.
    const { cards, arrows } = layOutCalls(functions, [edge(149, 20), edge(148, 21), ...edges]);
    expect(cards.size).toBe(150);
    expect(arrows.size).toBe(151);
    expect(countOverlaps(cards.values())).toBe(0);
  });

  it('puts functions below their callers without overlaps, with and without lanes', () => {
    const graphs = fc.record({
      links: fc.uniqueArray(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 })), {
        maxLength: 60,
        selector: ([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`,
      }),
      apart: fc.nat({ max: 30 }),
      lanes: fc.option(fc.integer({ min: 1, max: 4 })),
    });
    fc.assert(
      fc.property(graphs, ({ links, apart, lanes }) => {
        const functions = Array.from({ length: 31 }, (_, id) =>
          called(id, lanes === null ? undefined : `lane ${id % lanes}`, id === apart),
        );
        const edges = links.filter(([a, b]) => a !== b).map(([a, b]) => edge(Math.min(a, b), Math.max(a, b)));
        const layout = layOutCalls(functions, edges);
        expect(layout.cards.size).toBe(31);
        expect(countOverlaps(layout.cards.values())).toBe(0);
        for (const { id, caller, callee } of edges) {
          expect(layout.cards.get(caller)?.y).toBeLessThan(layout.cards.get(callee)?.y ?? 0);
          expect(layout.arrows.get(id)?.points.length).toBeGreaterThan(1);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is at most eight times as long as it is wide for 2,000 functions', () => {
    const { functions, edges } = tree(2000);
    const { cards, width, height } = layOutCalls(functions, edges);
    expect(cards.size).toBe(2000);
    expect(Math.max(width / height, height / width)).toBeLessThan(8);
  });

  it('contains every function if 2,000 functions call a shared function', () => {
    const { functions, edges } = tree(2000);
    const shared = Array.from({ length: 1998 }, (_, id) => edge(id, 1999));
    const { cards } = layOutCalls(functions, [...edges.slice(0, -1), ...shared]);
    expect(cards.size).toBe(2000);
  });

  it('contains a chain of 2,000 functions', () => {
    const functions = Array.from({ length: 2000 }, (_, id) => called(id));
    const edges = Array.from({ length: 1999 }, (_, id) => edge(id, id + 1));
    expect(layOutCalls(functions, edges).cards.size).toBe(2000);
  });

  it('puts functions in the lane of their group, and names each lane once', () => {
    const functions = Array.from({ length: 12 }, (_, id) => called(id, id % 3 === 0 ? 'a.ts' : 'b.ts'));
    const { cards, lanes } = layOutCalls(functions, tree(12).edges);
    expect(lanes.map(({ name }) => name).toSorted()).toEqual(['a.ts', 'b.ts']);
    for (const { id, lane } of functions) {
      const band = lanes.find(({ name }) => name === lane);
      const x = cards.get(id)?.x ?? Number.NaN;
      expect(x).toBeGreaterThanOrEqual(band?.x ?? Number.NaN);
      expect(x + FUNCTION_CARD.width).toBeLessThanOrEqual((band?.x ?? 0) + (band?.width ?? 0));
    }
  });
});
