import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FUNCTION_CARD, type Point } from '../layout/layout-types.ts';
import { chooseLabelSide, drawCurve, drawCurveHead, findPoint, routeValueEdge } from './route-value-edge.ts';

const { width, height } = FUNCTION_CARD;
const isInside = ({ x, y }: Point, card: Point) =>
  x > card.x && x < card.x + width && y > card.y && y < card.y + height;

const isOnEdge = ({ x, y }: Point, card: Point) => {
  const [left, top] = [Math.round(x - card.x), Math.round(y - card.y)];
  const isIn = left >= 0 && left <= width && top >= 0 && top <= height;
  return isIn && (left === 0 || left === width || top === 0 || top === height);
};

it('an arrow begins and ends at the edges of its two cards, wherever they are', () => {
  const point = fc.record({
    x: fc.integer({ min: -2000, max: 2000 }),
    y: fc.integer({ min: -2000, max: 2000 }),
  });
  fc.assert(
    fc.property(point, point, (a, b) => {
      const curve = routeValueEdge(
        'a',
        'b',
        new Map([
          ['a', a],
          ['b', b],
        ]),
      );
      expect(curve && isOnEdge(curve.from, a) && isOnEdge(curve.to, b)).toBe(true);
      expect(curve && `${drawCurve(curve)}${drawCurveHead(curve)}`).not.toContain('NaN');
    }),
  );
});

it('an arrow goes around the cards between its two cards', () => {
  const cards = new Map([
    ['a', { x: 0, y: 0 }],
    ['between', { x: 0, y: 80 }],
    ['b', { x: 0, y: 160 }],
  ]);
  for (const [from, to] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const curve = routeValueEdge(from, to, cards);
    const points = Array.from({ length: 41 }, (_, at) => curve && findPoint(curve, at / 40));
    expect(points.some((at) => at !== undefined && isInside(at, { x: 0, y: 80 }))).toBe(false);
  }
});

it('arrows in both directions between two cards do not coincide', () => {
  const cards = new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 0, y: 130 }],
  ]);
  const [down, up] = [routeValueEdge('a', 'b', cards), routeValueEdge('b', 'a', cards)];
  expect(Math.abs((down?.from.x ?? 0) - (up?.from.x ?? 0))).toBeGreaterThan(40);
});

it('the label of an arrow that goes around a card is on the side of the arrow away from the card', () => {
  const column = (x: number) =>
    new Map([
      ['a', { x: 0, y: 0 }],
      ['between', { x, y: 80 }],
      ['b', { x: 0, y: 160 }],
    ]);
  const choose = (from: string, to: string, x: number) => {
    const curve = routeValueEdge(from, to, column(x));
    return curve && chooseLabelSide(curve);
  };
  expect([choose('a', 'b', 0), choose('b', 'a', 0)]).toEqual(['right', 'right']);
  // Here, no card is between the two cards, so the arrow is straight.
  expect([choose('a', 'b', 900), choose('b', 'a', 900)]).toEqual(['right', 'left']);
  const blocked = new Map([...column(0), ['beside', { x: 240, y: 80 }]] as const);
  const left = routeValueEdge('a', 'b', blocked);
  expect(left && chooseLabelSide(left)).toBe('left');
});

it('an arrow from the request or to the response is attached to one card, and a card that is not drawn has no arrow', () => {
  const cards = new Map([['a', { x: 0, y: 0 }]]);
  expect(routeValueEdge(undefined, 'a', cards)?.to.y).toBe(0);
  expect(routeValueEdge('a', undefined, cards)?.from.y).toBe(0);
  expect(routeValueEdge('a', 'hidden', cards)).toBeUndefined();
  expect(routeValueEdge('hidden', 'a', cards)).toBeUndefined();
  expect(routeValueEdge(undefined, undefined, cards)).toBeUndefined();
});
