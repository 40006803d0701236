import type { Step } from '@throughline/contract';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { CriticalPath } from '../steps/analysis/critical-path.ts';
import { createCallDescriber } from '../steps/analysis/differing-argument.ts';
import { findExtent } from '../steps/analysis/step-extent.ts';
import type { StepForest } from '../steps/analysis/step-forest.ts';
import { StepColumns } from '../steps/tree/step-columns.tsx';
import type { StepFilter } from '../steps/tree/step-filter.ts';
import { StepTree } from '../steps/tree/step-tree.tsx';
import { useWork } from '../work/use-work.ts';
import { Lanes } from './lanes/lanes.tsx';
import type { Lane } from './lanes/lanes-data.ts';
import { Overview } from './overview/overview.tsx';
import { buildBothScalesWork } from './scale/both-scales.ts';
import { buildEvenScale } from './scale/time-scale.ts';
import classes from './timeline.module.css';
import { drawIdleBands, TimelineHead } from './timeline-head.tsx';
import { TimelineLine } from './timeline-line.tsx';
import { useZoom } from './use-zoom.ts';

/** With at least this many steps, an overview of all steps is shown above the rows. */
const OVERVIEW_FROM_STEPS = 300;
/** The width of the names until the user moves the divider, in percent. */
const NAMES_SHARE = 45;
const NO_VALUES: ReadonlyMap<string, Step> = new Map();

interface TimelineProps {
  /** The name under which this browser stores the divider's position. */
  readonly name: string;
  readonly forest: StepForest;
  /** The filter of the steps; undefined for all steps. */
  readonly filter?: StepFilter | undefined;
  /** The critical path to draw; undefined to draw none. */
  readonly critical?: CriticalPath | undefined;
  /** The `stepId`s of the steps that have the value that the user follows through the request. */
  readonly marked?: ReadonlySet<string> | undefined;
  /** The request's duration in milliseconds. */
  readonly durationMs: number;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly focusAtFirst: boolean;
  /** The services of a distributed trace with their requests; empty if the trace stayed within one service. */
  readonly lanes: readonly Lane[];
  /** Called when another service's request is chosen. */
  readonly onOpen: (requestId: string) => void;
  /** The steps with their values, by `stepId`; undefined until loaded. */
  readonly values?: ReadonlyMap<string, Step> | undefined;
  /** Called when a bundle is opened, since values distinguish its calls. */
  readonly onValuesWanted?: () => void;
}

/** A trace's steps with the time in which each ran, one row per step. By default, long idle ranges are shortened. */
export function Timeline({ forest, durationMs, selected, lanes, critical, ...props }: TimelineProps) {
  const begin = useCallback(
    () =>
      buildBothScalesWork(
        forest,
        durationMs,
        lanes.flatMap(({ requests }) => requests),
      ),
    [forest, durationMs, lanes],
  );
  const scales = useWork(begin, forest.all.length);
  // Names need no scale, so the names of a large trace are shown before the scale is computed.
  const plain = useMemo(() => buildEvenScale({ fromMs: 0, toMs: durationMs }), [durationMs]);
  const [compress, setCompress] = useState(true);
  const full = (compress ? scales?.compressed : scales?.even) ?? plain;
  const about = useMemo(() => findExtent(forest, selected), [forest, selected]);
  const root = useRef<HTMLDivElement>(null);
  const axis = useRef<HTMLDivElement>(null);
  const zoom = useZoom({ full, selected, about, root, axis });
  const { values, onValuesWanted } = props;
  const describeCall = useMemo(() => createCallDescriber(values ?? NO_VALUES), [values]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys for any focused element inside
    <div
      ref={root}
      className={classes.root}
      style={{ '--gaps': drawIdleBands(zoom.scale) }}
      onKeyDown={zoom.onKeyDown}
    >
      {forest.all.length >= OVERVIEW_FROM_STEPS && (
        <Overview forest={forest} scale={full} selected={selected} onSelect={props.onSelect} />
      )}
      <StepColumns name={props.name} atFirst={NAMES_SHARE} forest={forest}>
        {(indentation) => (
          <>
            <TimelineHead
              compressed={scales?.compressed ?? plain}
              compress={compress}
              onCompress={setCompress}
              zoom={zoom}
              axis={axis}
            />
            {lanes.length > 0 && <Lanes lanes={lanes} scale={zoom.scale} onOpen={props.onOpen} />}
            <StepTree
              forest={forest}
              filter={props.filter}
              marked={props.marked}
              selected={selected}
              onSelect={props.onSelect}
              focusAtFirst={props.focusAtFirst}
              indentation={indentation}
              line={(row, onToggle) => (
                <TimelineLine
                  row={row}
                  scale={zoom.scale}
                  critical={critical}
                  argument={
                    row.bundle !== undefined && row.entry.kind === 'step'
                      ? describeCall(row.bundle, row.entry.node)
                      : undefined
                  }
                  onValuesWanted={onValuesWanted}
                  onToggle={onToggle}
                />
              )}
            />
          </>
        )}
      </StepColumns>
    </div>
  );
}
