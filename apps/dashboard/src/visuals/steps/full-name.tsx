import { escapeControlCharacters } from '@throughline/contract/captured';
import { useLayoutEffect, useRef, useState } from 'react';
import { firstNode } from './analysis/fold-repeats.ts';
import type { StepRow } from './tree/step-rows.ts';
import classes from './tree/step-tree.module.css';

interface FullNameProps {
  readonly row: StepRow;
  /** Nothing is below this line, so that the name stands above it. */
  readonly last: boolean;
}

/** The selected step's name in full while the tree has the keys, where its line shows only the beginning. */
export function FullName({ row, last }: FullNameProps) {
  const box = useRef<HTMLSpanElement>(null);
  const [cut, setCut] = useState(false);
  // After each drawing: the name's room changes with the divider, the window and the level.
  useLayoutEffect(() => {
    const name = box.current?.parentElement?.querySelector('[data-name]');
    setCut(name != null && name.scrollWidth > name.clientWidth);
  });
  return (
    <span ref={box} className={classes.full} data-cut={cut} data-above={last} aria-hidden>
      {cut && escapeControlCharacters(firstNode(row.entry).step.stepName)}
    </span>
  );
}
