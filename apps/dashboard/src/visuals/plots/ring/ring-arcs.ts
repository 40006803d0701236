/** The gap between parts, as a share of the ring. */
const GAP = 0.006;

/** Returns a path along a circle around 0,0 for each value, clockwise from the top; empty for zero. */
export function buildArcs(values: readonly number[], radius: number): readonly string[] {
  const whole = values.reduce((sum, value) => sum + value, 0);
  const several = values.filter((value) => value > 0).length > 1;
  let before = 0;
  return values.map((value) => {
    const from = before / whole;
    before += value;
    if (value <= 0) return '';
    if (!several) return drawCircle(radius);
    // A tiny part is at least half as wide as a gap, so that it stays visible.
    const to = Math.max(before / whole - GAP, from + GAP / 2);
    const [x1, y1] = findPointAt(from, radius);
    const [x2, y2] = findPointAt(to, radius);
    return `M${x1} ${y1}A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${x2} ${y2}`;
  });
}

function drawCircle(radius: number): string {
  return `M0 ${-radius}A${radius} ${radius} 0 1 1 0 ${radius}A${radius} ${radius} 0 1 1 0 ${-radius}`;
}

function findPointAt(share: number, radius: number): readonly [string, string] {
  const angle = share * 2 * Math.PI;
  return [(Math.sin(angle) * radius).toFixed(3), (-Math.cos(angle) * radius).toFixed(3)];
}
