import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type ReactNode, useMemo, useRef } from 'react';
import { Splitter } from '../../../ui/splitter/splitter.tsx';
import { useShare } from '../../../ui/splitter/use-share.ts';
import type { StepForest } from '../analysis/step-forest.ts';
import classes from './step-columns.module.css';
import { indentFor } from './step-indent.ts';

const BOUNDS = { least: 20, most: 75 };

interface StepColumnsProps {
  /** The name under which this browser remembers the divider's place. */
  readonly name: string;
  /** The share of the names until somebody moves the divider. Percent. */
  readonly atFirst: number;
  readonly forest: StepForest;
  /** The lines, told how many levels are indented. They find the width of the names in `--names`. */
  readonly children: (mostLevels: number) => ReactNode;
}

/** Lines of steps in two columns, names and times, with a divider between them. */
export function StepColumns({ name, atFirst, forest, children }: StepColumnsProps) {
  const share = useShare({ name: `columns_${name}`, atFirst, ...BOUNDS });
  const box = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const both = useMergedRef(box, ref);
  const deepest = useMemo(() => forest.all.reduce((most, { depth }) => Math.max(most, depth), 0), [forest]);
  const { px, mostLevels } = indentFor((width * share.percent) / 100, deepest);
  return (
    <div
      ref={both}
      className={classes.columns}
      style={{ '--names': `${share.percent}cqw`, '--indent': `${px}px`, '--most-levels': mostLevels }}
    >
      {children(mostLevels)}
      <Splitter label="Resize columns" box={box} share={share} className={classes.divider ?? ''} />
    </div>
  );
}
