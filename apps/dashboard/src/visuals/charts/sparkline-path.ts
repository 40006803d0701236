/** The SVG view box of the line, stretched to the size of its container. */
export const SPARK_BOX = { width: 100, height: 24 } as const;
/** Space for half a stroke above and below the line. */
const EDGE = 2;

/**
 * Returns a series as an SVG path, from zero at the bottom to `top` at the top. A missing value breaks the line; a single value
 * between missing values becomes a dot.
 */
export function drawSparkline(values: readonly (number | null)[], top: number): string {
  const step = SPARK_BOX.width / values.length;
  const height = SPARK_BOX.height - 2 * EDGE;
  const place = (value: number, index: number) => {
    const share = top > 0 ? Math.min(1, Math.max(0, value / top)) : 0;
    return `${roundPosition((index + 0.5) * step)} ${roundPosition(EDGE + (1 - share) * height)}`;
  };
  return values
    .map((value, index) => {
      if (value === null) return '';
      if (index > 0 && values[index - 1] !== null) return `L${place(value, index)}`;
      // A line of zero length is still drawn, as its two round ends.
      return `M${place(value, index)}h0.01`;
    })
    .join('');
}

function roundPosition(value: number): number {
  return Math.round(value * 100) / 100;
}
