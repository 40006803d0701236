/** Size of the printed area, the longer side first. */
export function outlineOf({ width, height, bleed }) {
  const sides = [width, height].map((side) => side + 2 * bleed);
  return { long: Math.max(...sides), short: Math.min(...sides) };
}
