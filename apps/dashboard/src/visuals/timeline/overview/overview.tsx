import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useCallback, useEffect, useRef } from 'react';
import { STEP_HUES, TONES } from '../../../shell/theme/tones.ts';
import type { StepForest } from '../../steps/analysis/step-forest.ts';
import { useWork } from '../../work/use-work.ts';
import type { TimeScale } from '../scale/time-scale.ts';
import classes from './overview.module.css';
import { buildOverviewBarsWork } from './overview-bars.ts';

const HEIGHT_PX = 56;

interface OverviewProps {
  readonly forest: StepForest;
  readonly scale: TimeScale;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

/**
 * Draws all steps of a large trace in start order from top to bottom. A click selects the step at the pointer. Assistive technology reads
 * the list of steps below the overview instead.
 */
export function Overview({ forest, scale, selected, onSelect }: OverviewProps) {
  const { ref: box, width } = useElementSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme('light');
  const bars = useWork(
    useCallback(() => buildOverviewBarsWork(forest, scale, width, HEIGHT_PX), [forest, scale, width]),
    forest.all.length,
  );
  const number = selected === undefined ? undefined : forest.byKey.get(selected)?.number;
  useEffect(() => {
    const picture = canvas.current;
    const pen = picture?.getContext('2d');
    if (picture == null || pen == null || width === 0 || bars === undefined) return;
    const ratio = window.devicePixelRatio;
    picture.width = Math.round(width * ratio);
    picture.height = Math.round(HEIGHT_PX * ratio);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, HEIGHT_PX);
    for (const { x, y, width: long, height, type, failed } of bars) {
      pen.fillStyle = failed ? TONES[scheme].red.fill : STEP_HUES[scheme][type];
      pen.fillRect(x, y, long, height);
    }
    if (number === undefined) return;
    pen.fillStyle = TONES[scheme].blue.fill;
    pen.fillRect(0, Math.min(HEIGHT_PX - 2, ((number - 1) / forest.all.length) * HEIGHT_PX), width, 2);
  }, [bars, scheme, width, number, forest]);
  const onPointerDown = (event: PointerEvent) => {
    const top = event.currentTarget.getBoundingClientRect().top;
    const place = Math.floor(((event.clientY - top) / HEIGHT_PX) * forest.all.length);
    const node = forest.all[Math.max(0, Math.min(forest.all.length - 1, place))];
    if (node !== undefined) onSelect(node.key);
  };
  return (
    <div ref={box} className={classes.overview} aria-hidden>
      <canvas ref={canvas} onPointerDown={onPointerDown} />
    </div>
  );
}
