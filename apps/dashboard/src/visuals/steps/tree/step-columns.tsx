import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type ReactNode, useMemo, useRef } from 'react';
import { Splitter } from '../../../ui/splitter/splitter.tsx';
import { useShare } from '../../../ui/splitter/use-share.ts';
import type { StepForest } from '../analysis/step-forest.ts';
import classes from './step-columns.module.css';
import { type Indentation, planIndentation } from './step-indent.ts';

const BOUNDS = { least: 20, most: 75 };
/** A narrower list shows the bars below the names; the duration stays next to the name. Pixels. */
const MIN_COLUMNS_PX = 440;
/** The width of the duration and the gaps around it. Pixels. */
const DURATION_PX = 84;

interface StepColumnsProps {
  /** The name under which this browser stores the divider's position. */
  readonly name: string;
  /** The width of the names until the user moves the divider. Percent. */
  readonly atFirst: number;
  readonly forest: StepForest;
  /** Renders the rows with the indentation of their names. `--names` contains the width of the names. */
  readonly children: (indentation: Indentation) => ReactNode;
}

/**
 * Step rows in two columns, names and times, with a divider between them. If the list is too narrow for two columns, `data-narrow` is
 * set.
 */
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
