import type { Tone } from '@throughline/contract';

/**
 * The look of a series: a colour with a meaning where there is one (failed is red), else one of {@link SERIES_LOOKS}, whose dashes
 * distinguish similar hues.
 */
export interface SeriesLook {
  readonly tone: Tone;
  /** Lengths of strokes and gaps. Pixels. */
  readonly dash?: readonly number[];
}

/** In this order. Blue and amber stay apart in every kind of colour blindness, bars too; dashes tell the others. */
export const SERIES_LOOKS = [
  { tone: 'blue' },
  { tone: 'amber', dash: [8, 4] },
  { tone: 'grey', dash: [2, 3] },
  { tone: 'purple', dash: [10, 3, 2, 3] },
  { tone: 'green', dash: [4, 2] },
] as const satisfies readonly SeriesLook[];

/** How strong a shade of one hue says how much: nothing is 0, the most 1. Few of many can still be seen. */
export function computeShade(count: number, most: number): number {
  if (count <= 0 || most <= 0) return 0;
  return 0.12 + 0.88 * Math.sqrt(Math.min(1, count / most));
}
