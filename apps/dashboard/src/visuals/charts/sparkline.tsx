import type { Tone } from '@throughline/contract';
import { formatToneColour } from '../../shell/theme/tones.ts';
import classes from './sparkline.module.css';
import { drawSparkline, SPARK_BOX } from './sparkline-path.ts';
import { describeMarks, findMarksWithin, type MarkedRange } from './time-marks.ts';

interface SparklineProps {
  /** The accessible name. */
  readonly label: string;
  /** Values at even time intervals; null if there is no data. */
  readonly values: readonly (number | null)[];
  /** The value at the top edge; by default the largest value. */
  readonly top?: number | undefined;
  readonly tone: Tone;
  /** Moments that the chart marks with lines. The chart's tooltip contains their names, because the lines are too thin to point at. */
  readonly marked?: MarkedRange | undefined;
}

/** A small line chart of how a number changed over time. */
export function Sparkline({ label, values, top, tone, marked }: SparklineProps) {
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
      {marked !== undefined && <Marks {...marked} />}
      <path d={drawSparkline(values, greatest)} />
    </svg>
  );
}

function Marks({ marks, from, to, format }: MarkedRange) {
  const shown = findMarksWithin(marks, { from, to });
  if (shown.length === 0) return null;
  return (
    <>
      <title>{describeMarks(shown, format)}</title>
      {shown.map(({ at, name }) => {
        const x = ((at - from) / (to - from)) * SPARK_BOX.width;
        return <line key={`${at} ${name}`} x1={x} x2={x} y1={0} y2={SPARK_BOX.height} />;
      })}
    </>
  );
}
