import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type ReactNode, useMemo, useRef } from 'react';
import { Splitter } from '../../../ui/splitter/splitter.tsx';
import { useShare } from '../../../ui/splitter/use-share.ts';
import type { StepForest } from '../analysis/step-forest.ts';
import classes from './step-columns.module.css';
import { type Indentation, planIndentation } from './step-indent.ts';

const BOUNDS = { least: 20, most: 75 };
/** A narrower list has its times below the names. Pixels. */
const MIN_COLUMNS_PX = 440;
/** The durations' width, and the gaps around it. Pixels. */
const DURATION_PX = 84;

interface StepColumnsProps {
  /** The name under which this browser remembers the divider's place. */
  readonly name: string;
  /** The share of the names until somebody moves the divider. Percent. */
  readonly atFirst: number;
  readonly forest: StepForest;
  /** The lines, with the indentation of their names. They find the width of the names in `--names`. */
  readonly children: (indentation: Indentation) => ReactNode;
}

/** Lines of steps in two columns, names and times, with a divider between them. Where that leaves too little room, `data-narrow` says so. */
export function StepColumns({ name, atFirst, forest, children }: StepColumnsProps) {
  const share = useShare({ name: `columns_${name}`, atFirst, ...BOUNDS });
  const box = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const both = useMergedRef(box, ref);
  const deepest = useMemo(() => forest.all.reduce((most, { depth }) => Math.max(most, depth), 0), [forest]);
  const isNarrow = width > 0 && width < MIN_COLUMNS_PX;
  const namesPx = isNarrow ? width - DURATION_PX : (width * share.percent) / 100;
  const indentation = useMemo(() => planIndentation(namesPx, deepest), [namesPx, deepest]);
  return (
    <div
      ref={both}
      className={classes.columns}
      data-narrow={isNarrow}
      style={{ '--names': `${share.percent}cqw` }}
    >
      {children(indentation)}
      {!isNarrow && (
        <Splitter label="Resize columns" box={box} share={share} className={classes.divider ?? ''} />
      )}
    </div>
  );
}
