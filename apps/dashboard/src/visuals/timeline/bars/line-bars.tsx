import { memo, useMemo } from 'react';
import { formatToneColour, stepHue } from '../../../shell/theme/tones.ts';
import { findEntryOutcome, findFirstNode, type StepEntry } from '../../steps/analysis/bundle-repeats.ts';
import { type CriticalPath, findCriticalStretches } from '../../steps/analysis/critical-path.ts';
import type { TimeScale } from '../scale/time-scale.ts';
import classes from '../timeline.module.css';
import { type Bar, buildBars, buildOwnBars, placeBars } from './entry-bars.ts';

interface LineBarsProps {
  readonly entry: StepEntry;
  readonly scale: TimeScale;
  /** The critical path to draw; undefined to draw none. */
  readonly critical: CriticalPath | undefined;
}

/**
 * Draws the time ranges in which a row's steps ran, their self time, and their parts on the critical path. Memoized, so that scrolling does
 * not render the bars again.
 */
export const LineBars = memo(function LineBars({ entry, scale, critical }: LineBarsProps) {
  const { step, startMs } = findFirstNode(entry);
  const bars = useMemo(() => buildBars(entry, scale), [entry, scale]);
  const own = useMemo(() => buildOwnBars(entry, scale), [entry, scale]);
  const held = critical === undefined ? [] : placeBars(findCriticalStretches(entry, critical), scale);
  const background =
    findEntryOutcome(entry) === 'failed' ? formatToneColour('red', 'fill') : stepHue(step.stepType);
  const isBefore = startMs < (scale[0]?.fromMs ?? 0);
  return (
    <span className={classes.track} aria-hidden>
      {bars.map((bar) => (
        <span key={bar.from} className={classes.bar} style={{ ...placeBar(bar), background }} />
      ))}
      {own.map((bar) => (
        <span key={bar.from} className={classes.own} style={{ ...placeBar(bar), background }} />
      ))}
      {held.map((bar) => (
        <span key={bar.from} className={classes.critical} style={placeBar(bar)} />
      ))}
      {bars.length === 0 && (
        <span className={classes.away} style={isBefore ? { left: 0 } : { right: 0 }}>
          {isBefore ? '‹' : '›'}
        </span>
      )}
    </span>
  );
});

function placeBar({ from, to }: Bar) {
  return { left: `min(${from * 100}%, calc(100% - 2px))`, width: `${(to - from) * 100}%` };
}
