import type { Tone } from '@throughline/contract';
import { formatToneColour } from '../../shell/theme/tones.ts';
import classes from './sparkline.module.css';
import { drawSparkline, SPARK_BOX } from './sparkline-path.ts';

interface SparklineProps {
  /** The accessible name. */
  readonly label: string;
  /** Values at even time intervals; null if there is no data. */
  readonly values: readonly (number | null)[];
  /** The value at the top edge; by default the largest value. */
  readonly top?: number | undefined;
  readonly tone: Tone;
}

/** A small line chart of how a number changed over time. */
export function Sparkline({ label, values, top, tone }: SparklineProps) {
  const greatest = top ?? values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.spark}
      viewBox={`0 0 ${SPARK_BOX.width} ${SPARK_BOX.height}`}
      preserveAspectRatio="none"
      style={{ color: formatToneColour(tone, 'fill') }}
    >
      <path d={drawSparkline(values, greatest)} />
    </svg>
  );
}
