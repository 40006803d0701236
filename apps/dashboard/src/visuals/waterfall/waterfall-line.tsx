import { durationTone, formatDuration, SLOW_MS } from '@throughline/contract';
import type { CSSProperties } from 'react';
import { stepHue, toneColour } from '../../shell/theme/tones.ts';
import { type CriticalPath, criticalStretches } from '../steps/analysis/critical-path.ts';
import { firstNode } from '../steps/analysis/fold-repeats.ts';
import { entryMs, StepName } from '../steps/tree/step-line.tsx';
import type { StepRow } from '../steps/tree/step-rows.ts';
import { buildBars } from './entry-bars.ts';
import { isShown, shareAt, type TimeScale } from './time-scale.ts';
import classes from './waterfall.module.css';

/** Behind a bar that ends later than this share of the width, its duration stands before it. */
const LABEL_BEFORE_FROM = 0.8;

interface WaterfallLineProps {
  readonly row: StepRow;
  readonly scale: TimeScale;
  readonly critical: CriticalPath;
  readonly onToggle: () => void;
}

/** One line of the waterfall: its name, and when it ran, as bars and, for those who cannot see them, as words. */
export function WaterfallLine({ row, scale, critical, onToggle }: WaterfallLineProps) {
  const { entry } = row;
  const { step, startMs } = firstNode(entry);
  const failed = entry.kind === 'step' && step.error !== null;
  const ms = entryMs(entry);
  const bars = buildBars(entry, scale);
  const before = firstNode(entry).startMs < (scale[0]?.fromMs ?? 0);
  const edge = before ? 0 : 1;
  const [begin, end] = [bars[0]?.from ?? edge, bars.at(-1)?.to ?? edge];
  const label = labelPlace(begin, end);
  const colour = ms > SLOW_MS ? { color: toneColour(durationTone(ms)) } : {};
  return (
    <div className={classes.line}>
      <StepName row={row} critical={critical} onToggle={onToggle} />
      <span className={classes.track}>
        {bars.map(({ from, to }) => (
          <span
            key={from}
            className={classes.bar}
            style={{
              left: `min(${from * 100}%, calc(100% - 2px))`,
              width: `${(to - from) * 100}%`,
              background: failed ? toneColour('red', 'fill') : stepHue(step.stepType),
            }}
          />
        ))}
        {criticalStretches(entry, critical).map((stretch) => {
          if (!isShown(scale, stretch)) return null;
          const { fromMs, toMs } = stretch;
          const [from, to] = [shareAt(scale, fromMs), shareAt(scale, toMs)];
          return (
            <span
              key={fromMs}
              className={classes.critical}
              style={{ left: `min(${from * 100}%, calc(100% - 2px))`, width: `${(to - from) * 100}%` }}
            />
          );
        })}
        <span className={classes.label} data-inside={label.inside} style={{ ...label.style, ...colour }}>
          {bars.length === 0 && before && '‹ '}
          {formatDuration(ms)}
          {bars.length === 0 && !before && ' ›'}
        </span>
        <span className="visually-hidden">
          , begins{' '}
          {startMs < 0 ? `${formatDuration(-startMs)} before the request` : `at ${formatDuration(startMs)}`}
        </span>
      </span>
    </div>
  );
}

/** Where a line's duration stands: behind its bars, before them, or, where neither leaves room, on them. */
function labelPlace(begin: number, end: number): { readonly inside: boolean; readonly style: CSSProperties } {
  if (end <= LABEL_BEFORE_FROM) return { inside: false, style: { left: `calc(${end * 100}% + 4px)` } };
  if (begin > 1 - LABEL_BEFORE_FROM) {
    return { inside: false, style: { right: `calc(${(1 - begin) * 100}% + 4px)` } };
  }
  return { inside: true, style: { right: 4 } };
}
