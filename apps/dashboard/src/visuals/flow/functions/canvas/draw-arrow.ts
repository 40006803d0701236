import type { Arrow } from '../layout/layout-types.ts';

const HEAD = { width: 4, height: 8 };

/** Returns the SVG path of an arrow: curves that are vertical at each point, and straight lines after the point with index `squareFrom`. */
export function drawLine({ points, squareFrom = Number.POSITIVE_INFINITY }: Arrow): string {
  return points
    .map((point, index) => {
      const [x, y] = [Math.round(point.x), Math.round(point.y)];
      const before = points[index - 1];
      if (before === undefined) return `M${x} ${y}`;
      if (index > squareFrom) return `L${x} ${y}`;
      const middle = Math.round((before.y + point.y) / 2);
      return `C${Math.round(before.x)} ${middle} ${x} ${middle} ${x} ${y}`;
    })
    .join('');
}

/** Draws the small triangle at the end of an arrow. */
export function drawHead({ points, squareFrom }: Arrow): string {
  const end = points.at(-1);
  if (end === undefined) return '';
  const from = `M${Math.round(end.x)} ${Math.round(end.y)}`;
  const { width, height } = HEAD;
  return squareFrom === undefined
    ? `${from}l${-width} ${-height}h${2 * width}z`
    : `${from}l${-height} ${-width}v${2 * width}z`;
}
