import { escapeControlCharacters } from '@throughline/contract/captured';
import { useLayoutEffect, useRef, useState } from 'react';
import { findFirstNode } from './analysis/bundle-repeats.ts';
import type { StepRow } from './tree/step-rows.ts';
import classes from './tree/step-tree.module.css';

interface FullNameProps {
  readonly row: StepRow;
  /** True for the last row: the full name is shown above this row, since there is no row below. */
  readonly last: boolean;
}

/** Shows the full name of the selected step while the tree has the focus, if the row cuts the name off. */
export function FullName({ row, last }: FullNameProps) {
  const box = useRef<HTMLSpanElement>(null);
  const [cut, setCut] = useState(false);
  // Runs after each render, since the name's width changes with the divider, the window and the level.
  useLayoutEffect(() => {
    const name = box.current?.parentElement?.querySelector('[data-name]');
    setCut(name != null && name.scrollWidth > name.clientWidth);
  });
  return (
    <span ref={box} className={classes.full} data-cut={cut} data-above={last} aria-hidden>
      {cut && escapeControlCharacters(findFirstNode(row.entry).step.stepName)}
    </span>
  );
}
