import { shareAt, type TimeScale } from '../scale/time-scale.ts';

/** The width of a label with its margin. Pixels. */
const LABEL_PX = 60;
/** The widths of one letter of a label, and of the label's line and margin. Pixels. */
const LETTER_PX = 7.5;
const LINE_PX = 6;

/** A labelled instant on the axis. */
export interface Tick {
  readonly ms: number;
  readonly label: string;
  /** True if the label is placed before the instant, because there is not enough space after the instant. */
  readonly isBefore: boolean;
}

/** Lists the round instants to label on an axis of this width. No label overlaps a compressed range or the previous label. */
export function listTicks(scale: TimeScale, widthPx: number): Tick[] {
  const shown = scale.filter(({ idle }) => !idle);
  const shownMs = shown.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  if (!(shownMs > 0)) return [{ ms: 0, label: formatInstant(0, 1), isBefore: false }];
  const step = roundStep(shownMs / Math.max(1, widthPx / LABEL_PX));
  const ticks: Tick[] = [];
  let endPx = 0;
  for (const { fromMs, toMs, from, to } of shown) {
    for (let index = Math.ceil(fromMs / step); index * step <= toMs; index += 1) {
      const placePx = shareAt(scale, index * step) * widthPx;
      const label = formatInstant(index * step, step);
      const textPx = label.length * LETTER_PX + LINE_PX;
      const isBefore = placePx + (to < 1 ? textPx : LABEL_PX) > to * widthPx;
      if (isBefore && placePx - textPx < from * widthPx) continue;
      if (placePx - (isBefore ? LABEL_PX : 0) < endPx) continue;
      ticks.push({ ms: index * step, label, isBefore });
      endPx = placePx + (isBefore ? 0 : LABEL_PX);
    }
  }
  return ticks;
}

/** Formats an instant so precisely that different multiples of `stepMs` have different labels. */
export function formatInstant(ms: number, stepMs: number): string {
  const size = Math.abs(ms);
  const [unit, unitMs] = size >= 1000 ? ['s', 1000] : size >= 1 || size === 0 ? ['ms', 1] : ['µs', 0.001];
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(stepMs / unitMs) - 1e-9)));
  return `${ms < 0 ? '−' : ''}${(size / unitMs).toFixed(size === 0 ? 0 : decimals)} ${unit}`;
}

/** The ends of a shown range are rounded to about the length of the range divided by this number. */
const RANGE_PARTS = 20;

/** Describes the time range that a scale shows. */
export function formatRange(scale: TimeScale): string {
  const [fromMs, toMs] = [scale[0]?.fromMs ?? 0, scale.at(-1)?.toMs ?? 0];
  const stepMs = roundStep(Math.max(toMs - fromMs, 0.001) / RANGE_PARTS);
  return `${formatInstant(fromMs, stepMs)} to ${formatInstant(toMs, stepMs)}`;
}

/** Returns the smallest number of the series 1, 2, 5, 10, 20, 50, … (also below 1) that is at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
}
