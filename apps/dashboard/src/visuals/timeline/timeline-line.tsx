import { chooseDurationTone, formatDuration, SLOW_MS } from '@throughline/contract';
import { useEffect } from 'react';
import { formatToneColour } from '../../shell/theme/tones.ts';
import { findFirstNode } from '../steps/analysis/bundle-repeats.ts';
import type { CriticalPath } from '../steps/analysis/critical-path.ts';
import { describeRowResult } from '../steps/analysis/row-result.ts';
import { computeEntryMs, StepName } from '../steps/tree/step-name.tsx';
import type { StepRow } from '../steps/tree/step-rows.ts';
import { LineBars } from './bars/line-bars.tsx';
import type { TimeScale } from './scale/time-scale.ts';
import classes from './timeline.module.css';

interface TimelineLineProps {
  readonly row: StepRow;
  readonly scale: TimeScale;
  /** The critical path to draw; undefined to draw none. */
  readonly critical: CriticalPath | undefined;
  readonly argument: string | undefined;
  /** Called if the row is a call of a bundle, whose arguments must then be loaded. */
  readonly onValuesWanted: (() => void) | undefined;
  readonly onToggle: () => void;
}

/** A row of the timeline: a step's name, when it ran (as bars and as text), and its duration. */
export function TimelineLine({
  row,
  scale,
  critical,
  argument,
  onValuesWanted,
  onToggle,
}: TimelineLineProps) {
  const { entry, bundle } = row;
  useEffect(() => {
    if (bundle !== undefined) onValuesWanted?.();
  }, [bundle, onValuesWanted]);
  const { startMs, selfMs } = findFirstNode(entry);
  const ms = computeEntryMs(entry);
  const hasSelf = entry.kind === 'step' && row.open !== undefined;
  const self = `self ${formatDuration(selfMs)}`;
  return (
    <div className={classes.line}>
      <StepName
        row={row}
        critical={critical}
        argument={argument}
        result={entry.kind === 'step' ? describeRowResult(entry.node.step) : undefined}
        onToggle={onToggle}
      />
      <LineBars entry={entry} scale={scale} critical={critical} />
      <span
        className={classes.duration}
        style={ms > SLOW_MS ? { color: formatToneColour(chooseDurationTone(ms)) } : {}}
        {...(hasSelf ? { title: self } : {})}
      >
        {formatDuration(ms)}
        <span className="visually-hidden">
          {hasSelf && `, ${self}`}, begins{' '}
          {startMs < 0 ? `${formatDuration(-startMs)} before the request` : `at ${formatDuration(startMs)}`}
        </span>
      </span>
    </div>
  );
}
