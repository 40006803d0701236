import { type ReactNode, useRef } from 'react';
import { useHiddenSides } from '../hooks/use-hidden-sides.ts';
import classes from './wide-table.module.css';

interface WideTableProps {
  /** The accessible name of the scrollable part. */
  readonly label: string;
  /** The minimum width of the table in pixels. Without a minimum, the table scrolls only if its words do not fit. */
  readonly minWidth?: number;
  readonly children: ReactNode;
}

/** A table that scrolls sideways if it does not fit. It fades out at an edge beyond which there is more content. */
export function WideTable({ label, minWidth, children }: WideTableProps) {
  const frame = useRef<HTMLElement>(null);
  const more = useHiddenSides(frame);
  return (
    <section
      ref={frame}
      className={classes.frame}
      aria-label={label}
      data-more={more}
      // Without a mouse, the user scrolls the table with the arrow keys.
      tabIndex={more === 'none' ? undefined : 0}
    >
      <div style={minWidth === undefined ? undefined : { minWidth }}>{children}</div>
    </section>
  );
}
