import { Switch } from '@mantine/core';
import { formatDuration } from '@throughline/contract';
import { useMemo, useState } from 'react';
import type { CriticalPath } from '../steps/critical-path.ts';
import type { StepFilter } from '../steps/step-filter.ts';
import type { StepForest } from '../steps/step-forest.ts';
import { StepTree } from '../steps/step-tree.tsx';
import { Overview } from './overview.tsx';
import {
  compressedScale,
  evenScale,
  idleStretches,
  shareAt,
  type TimeScale,
  ticksOf,
  wholeTime,
} from './time-scale.ts';
import classes from './waterfall.module.css';
import { WaterfallLine } from './waterfall-line.tsx';

/** From so many steps on, a picture of all of them stands above the lines in view. */
const OVERVIEW_FROM_STEPS = 300;
const TICKS = 5;

interface WaterfallProps {
  readonly forest: StepForest;
  /** Which steps to list; without it, all. */
  readonly filter: StepFilter | undefined;
  readonly critical: CriticalPath;
  /** The request's. Milliseconds. */
  readonly durationMs: number;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly focusAtFirst: boolean;
}

/** When each step ran, one line a step. Long stretches in which nothing ran are drawn narrow, and say how long they were. */
export function Waterfall({
  forest,
  filter,
  critical,
  durationMs,
  selected,
  onSelect,
  ...props
}: WaterfallProps) {
  const [compress, setCompress] = useState(true);
  const { compressed, even } = useMemo(() => {
    const whole = wholeTime(forest, durationMs);
    return { compressed: compressedScale(whole, idleStretches(forest, whole)), even: evenScale(whole) };
  }, [forest, durationMs]);
  const idleMs = compressed.reduce((sum, { idle, fromMs, toMs }) => sum + (idle ? toMs - fromMs : 0), 0);
  const scale = compress ? compressed : even;
  return (
    <div className={classes.root} style={{ '--gaps': gapBands(scale) }}>
      {forest.all.length >= OVERVIEW_FROM_STEPS && (
        <Overview forest={forest} scale={scale} selected={selected} onSelect={onSelect} />
      )}
      <div className={classes.head}>
        <div className={classes.headLine}>
          {idleMs > 0 ? (
            <Switch
              size="xs"
              label={`Compress idle ${formatDuration(idleMs)}`}
              checked={compress}
              onChange={(event) => setCompress(event.currentTarget.checked)}
            />
          ) : (
            <span className={classes.title}>Step</span>
          )}
          <Axis scale={scale} />
        </div>
      </div>
      <div className={classes.lines}>
        <StepTree
          forest={forest}
          filter={filter}
          totalMs={durationMs}
          selected={selected}
          onSelect={onSelect}
          focusAtFirst={props.focusAtFirst}
          line={(row, onToggle) => (
            <WaterfallLine row={row} scale={scale} critical={critical} onToggle={onToggle} />
          )}
        />
      </div>
    </div>
  );
}

function Axis({ scale }: { readonly scale: TimeScale }) {
  return (
    <div className={classes.axis} aria-hidden>
      {scale
        .filter(({ idle }) => idle)
        .map(({ from, to, fromMs, toMs }) => (
          <span
            key={`gap ${fromMs}`}
            className={classes.gap}
            style={{ left: percent(from), width: percent(to - from) }}
            title={`${formatDuration(toMs - fromMs)} in which no step ran but those waiting for others`}
          />
        ))}
      {ticksOf(scale, TICKS).map((ms) => (
        <span key={ms} className={classes.tick} style={{ left: percent(shareAt(scale, ms)) }}>
          {ms < 0 ? `−${formatDuration(-ms)}` : formatDuration(ms)}
        </span>
      ))}
    </div>
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}

/** The compressed stretches as shaded bands behind every line's bars. */
function gapBands(scale: TimeScale): string {
  const stops = scale
    .filter(({ idle }) => idle)
    .flatMap(({ from, to }) => [
      `transparent ${percent(from)}`,
      `var(--surface-shade) ${percent(from)} ${percent(to)}`,
      `transparent ${percent(to)}`,
    ]);
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`;
}
