import type { Arrow, Point } from '../layout/layout-types.ts';

/** The number of straight lines with which a curve is approximated. */
const LINES_PER_CURVE = 8;

/** An arrow as a series of straight lines, with the edges of its bounding box. */
export interface ArrowLines {
  readonly id: string;
  readonly points: readonly Point[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function listArrowLines(arrows: ReadonlyMap<string, Arrow>): ArrowLines[] {
  return [...arrows].map(([id, arrow]) => {
    const points = flatten(arrow);
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    return {
      id,
      points,
      left: Math.min(...xs),
      top: Math.min(...ys),
      right: Math.max(...xs),
      bottom: Math.max(...ys),
    };
  });
}

/** Returns the id of the arrow nearest to a point. Returns undefined if all arrows are farther from the point than `within`. */
export function findArrow(lines: readonly ArrowLines[], { x, y }: Point, within: number): string | undefined {
  let nearest: { readonly id: string; readonly distance: number } | undefined;
  for (const { id, points, left, top, right, bottom } of lines) {
    if (x < left - within || x > right + within || y < top - within || y > bottom + within) continue;
    for (const [index, to] of points.entries()) {
      const from = points[index - 1];
      if (from === undefined) continue;
      const distance = measureDistance({ x, y }, from, to);
      if (distance <= within && (nearest === undefined || distance < nearest.distance))
        nearest = { id, distance };
    }
  }
  return nearest?.id;
}

/** Converts an arrow, as `drawLine` draws it, to the end points of straight lines. */
function flatten({ points, squareFrom = Number.POSITIVE_INFINITY }: Arrow): Point[] {
  return points.flatMap((to, index) => {
    const from = points[index - 1];
    if (from === undefined || index > squareFrom) return [to];
    return Array.from({ length: LINES_PER_CURVE }, (_, at) => {
      const t = (at + 1) / LINES_PER_CURVE;
      return {
        x: from.x + (to.x - from.x) * (3 * t ** 2 - 2 * t ** 3),
        // The control points of the curve are at half the height between its two ends.
        y: from.y + (to.y - from.y) * (1.5 * t - 1.5 * t ** 2 + t ** 3),
      };
    });
  });
}

function measureDistance(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx ** 2 + dy ** 2;
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - from.x - dx * t, point.y - from.y - dy * t);
}
