import { type ReactNode, useRef } from 'react';
import { Splitter } from '../../../ui/splitter/splitter.tsx';
import { useShare } from '../../../ui/splitter/use-share.ts';
import classes from './split-pane.module.css';

const HALF = 50;
const BOUNDS = { least: 20, most: 80 };

interface SplitPaneProps {
  /** The name under which this browser stores the divider's position. */
  readonly name: string;
  /** The left pane's share until the user moves the divider. Percent. */
  readonly atFirst?: number;
  readonly left: ReactNode;
  /**
   * True if the left pane contains rows, false if it contains a graph. Stacked panes use this for the height of the left pane: rows need
   * only as much height as there are rows, but a graph has no height of its own.
   */
  readonly endsWithRows?: boolean;
  readonly right: ReactNode;
  /** True if only the left pane is shown. Stacked panes are always both shown. */
  readonly isRightClosed?: boolean;
}

/** Two panes side by side with a divider; stacked if the container is narrow. */
export function SplitPane({
  name,
  atFirst = HALF,
  left,
  endsWithRows = false,
  right,
  isRightClosed = false,
}: SplitPaneProps) {
  const share = useShare({ name, atFirst, ...BOUNDS });
  const box = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={box}
      className={classes.root}
      data-right-closed={isRightClosed}
      style={{ '--share': `${share.percent}%` }}
    >
      <div className={classes.left} data-ends-with-rows={endsWithRows}>
        {left}
      </div>
      <Splitter label="Resize panels" box={box} share={share} className={classes.splitter} />
      <div className={classes.right}>{right}</div>
    </div>
  );
}
