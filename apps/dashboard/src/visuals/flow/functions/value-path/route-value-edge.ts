import { type CardPlaces, FUNCTION_CARD, type Point } from '../layout/layout-types.ts';

/** A cubic Bézier curve; `leave` and `arrive` are its control points. */
export interface Curve {
  readonly from: Point;
  readonly leave: Point;
  readonly arrive: Point;
  readonly to: Point;
}

const { width: WIDTH, height: HEIGHT } = FUNCTION_CARD;
/** Arrows of calls are in the middle of a card. Arrows of values are beside the middle: upward on the left, downward on the right. */
const DOWN_X = WIDTH * 0.78;
const UP_X = WIDTH * 0.22;
/** The length of the arrow from the request, or to the response. */
const OUTSIDE_PX = 34;
/** The distance from other cards to the control points of a curve that goes around these cards. */
const AROUND_PX = 64;
const SAMPLES = 16;
const HEAD = { length: 11, half: 5 };

/** Routes an arrow between two cards such that it crosses as few other cards as possible. Undefined if neither card is drawn. */
export function routeValueEdge(
  from: string | undefined,
  to: string | undefined,
  cards: CardPlaces,
): Curve | undefined {
  const [a, b] = [cards.get(from ?? ''), cards.get(to ?? '')];
  if (a === undefined && b === undefined) return undefined;
  if (a === undefined && b !== undefined) return from === undefined ? enter(b) : undefined;
  if (b === undefined && a !== undefined) return to === undefined ? exit(a) : undefined;
  if (a === undefined || b === undefined) return undefined;
  const others = [...cards].filter(([id]) => id !== from && id !== to).map(([, place]) => place);
  let best: { readonly curve: Curve; readonly crossed: number } | undefined;
  for (const curve of listCurves(a, b)) {
    const crossed = countCrossed(curve, others);
    if (best === undefined || crossed < best.crossed) best = { curve, crossed };
  }
  return best?.curve;
}

function enter({ x, y }: Point): Curve {
  return vertical({ x: x + UP_X, y: y - OUTSIDE_PX }, { x: x + UP_X, y });
}

function exit({ x, y }: Point): Curve {
  return vertical({ x: x + DOWN_X, y }, { x: x + DOWN_X, y: y - OUTSIDE_PX });
}

/** Lists the possible curves, the simplest first. */
function listCurves(a: Point, b: Point): readonly Curve[] {
  const around = [besideRight(a, b), besideLeft(a, b)];
  if (b.y >= a.y + HEIGHT)
    return [vertical({ x: a.x + DOWN_X, y: a.y + HEIGHT }, { x: b.x + DOWN_X, y: b.y }), ...around];
  if (a.y >= b.y + HEIGHT)
    return [vertical({ x: a.x + UP_X, y: a.y }, { x: b.x + UP_X, y: b.y + HEIGHT }), ...around];
  const isRightward = b.x > a.x;
  const [outX, inX] = isRightward ? [DOWN_X, UP_X] : [UP_X, DOWN_X];
  const above = Math.min(a.y, b.y) - AROUND_PX * 0.6;
  const below = Math.max(a.y, b.y) + HEIGHT + AROUND_PX * 0.6;
  const arc = (atY: (card: Point) => number, y: number): Curve => ({
    from: { x: a.x + outX, y: atY(a) },
    leave: { x: a.x + outX, y },
    arrive: { x: b.x + inX, y },
    to: { x: b.x + inX, y: atY(b) },
  });
  return [arc((card) => card.y, above), arc((card) => card.y + HEIGHT, below)];
}

function vertical(from: Point, to: Point): Curve {
  const middle = (from.y + to.y) / 2;
  return { from, leave: { x: from.x, y: middle }, arrive: { x: to.x, y: middle }, to };
}

function besideRight(a: Point, b: Point): Curve {
  const x = Math.max(a.x, b.x) + WIDTH + AROUND_PX;
  return beside({ x: a.x + WIDTH, y: a.y }, { x: b.x + WIDTH, y: b.y }, x);
}

function besideLeft(a: Point, b: Point): Curve {
  return beside(a, b, Math.min(a.x, b.x) - AROUND_PX);
}

function beside(a: Point, b: Point, x: number): Curve {
  const [fromY, toY] = [a.y + HEIGHT * 0.7, b.y + HEIGHT * 0.3];
  return {
    from: { x: a.x, y: fromY },
    leave: { x, y: fromY },
    arrive: { x, y: toY },
    to: { x: b.x, y: toY },
  };
}

function countCrossed(curve: Curve, cards: readonly Point[]): number {
  const points = Array.from({ length: SAMPLES - 1 }, (_, index) => findPoint(curve, (index + 1) / SAMPLES));
  return cards.filter((card) => points.some((point) => isInside(point, card))).length;
}

function isInside({ x, y }: Point, card: Point): boolean {
  return x > card.x && x < card.x + WIDTH && y > card.y && y < card.y + HEIGHT;
}

/** Finds the point of a curve at `t`: 0 is the beginning, 1 the end. */
export function findPoint({ from, leave, arrive, to }: Curve, t: number): Point {
  const mix = (a: number, b: number, c: number, d: number) =>
    (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
  return { x: mix(from.x, leave.x, arrive.x, to.x), y: mix(from.y, leave.y, arrive.y, to.y) };
}

/**
 * Chooses the side of a curve on which the curve's label covers neither the curve nor, if possible, the cards that the curve goes around.
 */
export function chooseLabelSide(curve: Curve): 'left' | 'right' {
  const { from, to } = curve;
  // Rounded, since the middle of a straight line can differ from its ends in the last digit.
  const x = Math.round(findPoint(curve, 0.5).x);
  if (x < Math.round(Math.min(from.x, to.x))) return 'left';
  if (x > Math.round(Math.max(from.x, to.x))) return 'right';
  return to.y < from.y ? 'left' : 'right';
}

/** Draws a curve as an SVG path. */
export function drawCurve({ from, leave, arrive, to }: Curve): string {
  const at = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`;
  return `M${at(from)}C${[leave, arrive, to].map(at).join(' ')}`;
}

/** Draws the triangle at the end of a curve, in the direction in which the curve ends. */
export function drawCurveHead({ arrive, to }: Curve): string {
  const length = Math.hypot(to.x - arrive.x, to.y - arrive.y) || 1;
  const [dx, dy] = [(to.x - arrive.x) / length, (to.y - arrive.y) / length];
  const back = { x: to.x - dx * HEAD.length, y: to.y - dy * HEAD.length };
  const at = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${at(to.x, to.y)}L${at(back.x - dy * HEAD.half, back.y + dx * HEAD.half)}L${at(back.x + dy * HEAD.half, back.y - dx * HEAD.half)}z`;
}
