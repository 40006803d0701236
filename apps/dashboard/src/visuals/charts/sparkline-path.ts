/** The box that the line is drawn in, stretched to whatever place it gets. */
export const SPARK_BOX = { width: 100, height: 24 } as const;
/** Room for half a stroke above and below. */
const EDGE = 2;

/**
 * A series as an SVG path, from zero at the foot to `top` at the head. Where a value is missing the line is broken; a value alone between
 * missing ones is a dot.
 */
export function sparklinePath(values: readonly (number | null)[], top: number): string {
  const step = SPARK_BOX.width / values.length;
  const height = SPARK_BOX.height - 2 * EDGE;
  const place = (value: number, index: number) => {
    const share = top > 0 ? Math.min(1, Math.max(0, value / top)) : 0;
    return `${rounded((index + 0.5) * step)} ${rounded(EDGE + (1 - share) * height)}`;
  };
  return values
    .map((value, index) => {
      if (value === null) return '';
      if (index > 0 && values[index - 1] !== null) return `L${place(value, index)}`;
      // A line without length has round ends all the same.
      return `M${place(value, index)}h0.01`;
    })
    .join('');
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
