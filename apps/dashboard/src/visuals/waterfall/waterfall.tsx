import { Switch } from '@mantine/core';
import { formatDuration } from '@throughline/contract';
import { useCallback, useMemo, useState } from 'react';
import type { CriticalPath } from '../steps/analysis/critical-path.ts';
import { extentOfKey, type Stretch } from '../steps/analysis/step-extent.ts';
import type { StepForest } from '../steps/analysis/step-forest.ts';
import { StepColumns } from '../steps/tree/step-columns.tsx';
import type { StepFilter } from '../steps/tree/step-filter.ts';
import { StepTree } from '../steps/tree/step-tree.tsx';
import { useWork } from '../work/use-work.ts';
import { Working } from '../work/working.tsx';
import { Axis } from './axis.tsx';
import { type BothScales, bothScalesWork } from './both-scales.ts';
import { Lanes } from './lanes.tsx';
import type { Lane } from './lanes-data.ts';
import { Overview } from './overview.tsx';
import { type TimeScale, zoomedScale } from './time-scale.ts';
import classes from './waterfall.module.css';
import { WaterfallLine } from './waterfall-line.tsx';
import { computeView, zoomByKey, zoomedBy } from './zoom.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

/** From so many steps on, a picture of all of them stands above the lines in view. */
const OVERVIEW_FROM_STEPS = 300;
/** The times are what one looks at here. Percent. */
const NAMES_SHARE = 44;

interface WaterfallProps {
  readonly forest: StepForest;
  /** Which steps to list; without it, all. */
  readonly filter: StepFilter | undefined;
  readonly critical: CriticalPath;
  /** The `stepId`s of steps to mark. */
  readonly marked: ReadonlySet<string>;
  /** The request's. Milliseconds. */
  readonly durationMs: number;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly focusAtFirst: boolean;
  /** The services of a distributed trace with their requests; none where it stayed within one. */
  readonly lanes: readonly Lane[];
  /** Another service's request was chosen. */
  readonly onOpen: (requestId: string) => void;
}

/** When each step ran, one line a step. Long stretches in which nothing ran are drawn narrow, and say how long they were. */
export function Waterfall(props: WaterfallProps) {
  const { forest, durationMs, lanes } = props;
  const begin = useCallback(
    () =>
      bothScalesWork(
        forest,
        durationMs,
        lanes.flatMap(({ requests }) => requests),
      ),
    [forest, durationMs, lanes],
  );
  const scales = useWork(begin, forest.all.length);
  return scales === undefined ? <Working what="times" /> : <ScaledWaterfall {...props} {...scales} />;
}

function ScaledWaterfall({
  forest,
  filter,
  critical,
  durationMs,
  selected,
  onSelect,
  lanes,
  compressed,
  even,
  ...props
}: WaterfallProps & BothScales) {
  const [compress, setCompress] = useState(true);
  const [view, setView] = useState<Stretch>();
  const idleMs = compressed.reduce((sum, { idle, fromMs, toMs }) => sum + (idle ? toMs - fromMs : 0), 0);
  const full = compress ? compressed : even;
  const about = useMemo(() => extentOfKey(forest, selected), [forest, selected]);
  const scale = useMemo(() => (view === undefined ? full : zoomedScale(full, view)), [full, view]);
  // A step that is selected elsewhere is in view; what was chosen to be seen since stays.
  const [shownFor, setShownFor] = useState(selected);
  if (shownFor !== selected) {
    setShownFor(selected);
    const to = about === undefined ? undefined : computeView(full, scale, about);
    if (to !== undefined) setView(to);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of what is inside, wherever the focus lies
    <div
      className={classes.root}
      style={{ '--gaps': gapBands(scale) }}
      onKeyDown={(event) => {
        const to = zoomByKey(event, full, scale, about);
        if (to === undefined) return;
        event.preventDefault();
        setView(to === 'all' ? undefined : to);
      }}
    >
      {forest.all.length >= OVERVIEW_FROM_STEPS && (
        <Overview forest={forest} scale={full} selected={selected} onSelect={onSelect} />
      )}
      <StepColumns name="waterfall" atFirst={NAMES_SHARE} forest={forest}>
        {(mostLevels) => (
          <>
            <div className={classes.head}>
              <div className={classes.headLine}>
                <div className={classes.tools}>
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
                  <ZoomButtons
                    zoomed={view !== undefined}
                    onZoom={(by) => setView(by === undefined ? undefined : zoomedBy(full, scale, by, about))}
                  />
                </div>
                <Axis scale={scale} onView={setView} />
              </div>
            </div>
            {lanes.length > 0 && <Lanes lanes={lanes} scale={scale} onOpen={props.onOpen} />}
            <StepTree
              forest={forest}
              filter={filter}
              totalMs={durationMs}
              marked={props.marked}
              selected={selected}
              onSelect={onSelect}
              focusAtFirst={props.focusAtFirst}
              mostLevels={mostLevels}
              line={(row, onToggle) => (
                <WaterfallLine row={row} scale={scale} critical={critical} onToggle={onToggle} />
              )}
            />
          </>
        )}
      </StepColumns>
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
