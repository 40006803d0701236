import type { Tone } from '@throughline/contract';
import { formatToneColour } from '../../../shell/theme/tones.ts';

/**
 * The look of a series: a colour with a meaning if there is one (red for failures), otherwise one of {@link SERIES_LOOKS}, whose dashes
 * distinguish similar hues.
 */
export interface SeriesLook {
  readonly tone: Tone;
  /** The lengths of dashes and gaps in pixels. */
  readonly dash?: readonly number[];
  /** True for a line in the colour of the text, which is visible on bars of every tone. */
  readonly isOnBars?: boolean;
}

/** Returns the colour of a series as CSS. */
export function formatLookColour({ tone, isOnBars = false }: SeriesLook): string {
  return isOnBars ? 'var(--surface-text)' : formatToneColour(tone, 'fill');
}

/**
 * The looks of series, used in this order. People with any kind of colour blindness can tell blue from amber, so bars, which have no
 * dashes, can use these two looks. In lines, dashes also distinguish colours that look alike.
 */
export const SERIES_LOOKS = [
  { tone: 'blue' },
  { tone: 'amber', dash: [8, 4] },
  { tone: 'grey', dash: [2, 3] },
  { tone: 'purple', dash: [10, 3, 2, 3] },
  { tone: 'green', dash: [4, 2] },
] as const satisfies readonly SeriesLook[];

/** Returns the strength of a shade for a count: 0 for nothing, 1 for the largest count. Small counts remain visible. */
export function computeShade(count: number, most: number): number {
  if (count <= 0 || most <= 0) return 0;
  return 0.12 + 0.88 * Math.sqrt(Math.min(1, count / most));
}
