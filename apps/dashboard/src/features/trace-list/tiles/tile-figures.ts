import { formatAverage, formatCount, formatRate, type ProjectStats, type Tone } from '@throughline/contract';

/** A figure above the list: its format, the meaning of a change, and the style of its sparkline. */
export interface TileFigure {
  readonly label: string;
  readonly of: (figures: ProjectStats) => number | null;
  readonly write: (value: number) => string;
  /** How a change is shown: as a percentage of the previous value, or for a rate as the difference in percentage points. */
  readonly change: 'share' | 'points';
  readonly better: 'more' | 'less' | 'neither';
  readonly tone: Tone;
  /** The largest possible value. */
  readonly top?: number;
}

export const TILE_FIGURES: readonly TileFigure[] = [
  {
    label: 'Total Traces',
    of: ({ totalTraces }) => totalTraces,
    write: formatCount,
    change: 'share',
    better: 'neither',
    tone: 'grey',
  },
  {
    label: 'Success Rate',
    of: ({ successRate }) => successRate,
    write: formatRate,
    change: 'points',
    better: 'more',
    tone: 'green',
    top: 100,
  },
  {
    label: 'Error Count',
    of: ({ errorCount }) => errorCount,
    write: formatCount,
    change: 'share',
    better: 'less',
    tone: 'red',
  },
  {
    label: 'Avg Duration',
    of: ({ avgDuration }) => avgDuration,
    write: formatAverage,
    change: 'share',
    better: 'less',
    tone: 'blue',
  },
];

/** The description of a change, and whether the change is good. */
interface Change {
  readonly text: string;
  readonly verdict: 'better' | 'worse' | 'neither';
}

/** Describes the change since the previous period. `before` is null if the figures of the previous period are unknown. */
export function describeChange(figure: TileFigure, now: ProjectStats, before: ProjectStats | null): Change {
  if (before === null) return { text: 'No earlier data', verdict: 'neither' };
  const [value, was] = [figure.of(now), figure.of(before)];
  if (was === null) return { text: 'No requests before', verdict: 'neither' };
  const wrote = `was ${figure.write(was)}`;
  if (value === null) return { text: wrote, verdict: 'neither' };
  const by = figure.change === 'points' ? value - was : ((value - was) / was) * 100;
  // A change that rounds to zero counts as unchanged.
  if (value === was || Math.abs(by) < 0.05) return { text: 'Unchanged', verdict: 'neither' };
  const verdict =
    figure.better === 'neither' ? 'neither' : value > was === (figure.better === 'more') ? 'better' : 'worse';
  const judged = verdict === 'neither' ? '' : ` ${verdict}`;
  // A change from zero has no percentage.
  if (figure.change === 'share' && was === 0)
    return { text: `More${judged && `,${judged}`}, ${wrote}`, verdict };
  const size = figure.change === 'points' ? `${Math.abs(by).toFixed(1)} points` : formatRate(Math.abs(by));
  return { text: `${by > 0 ? '+' : '−'}${size}${judged}, ${wrote}`, verdict };
}

/** Describes how a figure changed over time: its lowest and its highest value. */
export function describeCourse(figure: TileFigure, pieces: readonly ProjectStats[]): string {
  const values = pieces.flatMap((piece) => figure.of(piece) ?? []);
  if (values.length === 0) return `${figure.label} over time: no data`;
  const [least, most] = [Math.min(...values), Math.max(...values)].map(figure.write);
  return `${figure.label} over time: lowest ${least}, highest ${most}`;
}
