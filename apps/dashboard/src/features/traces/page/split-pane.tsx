import { type ReactNode, useRef } from 'react';
import { Splitter } from '../../../ui/splitter/splitter.tsx';
import { useShare } from '../../../ui/splitter/use-share.ts';
import classes from './split-pane.module.css';

const HALF = 50;
const BOUNDS = { least: 20, most: 80 };

interface SplitPaneProps {
  /** Under which name the place of the splitter is remembered in this browser. */
  readonly name: string;
  /** The left part's share until somebody moves the splitter. Percent. */
  readonly atFirst?: number;
  readonly left: ReactNode;
  /** Where the panes are stacked, the left one ends below its last row, instead of having the height that a picture needs. */
  readonly endsWithRows?: boolean;
  readonly right: ReactNode;
}

/** Two parts side by side with a splitter between them; one above the other where it is narrow. */
export function SplitPane({ name, atFirst = HALF, left, endsWithRows = false, right }: SplitPaneProps) {
  const share = useShare({ name, atFirst, ...BOUNDS });
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} className={classes.root} style={{ '--share': `${share.percent}%` }}>
      <div className={classes.left} data-ends-with-rows={endsWithRows}>
        {left}
      </div>
      <Splitter label="Resize panels" box={box} share={share} className={classes.splitter} />
      <div className={classes.right}>{right}</div>
    </div>
  );
}
