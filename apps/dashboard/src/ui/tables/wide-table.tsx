import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './wide-table.module.css';

interface WideTableProps {
  /** The accessible name of the scrollable part. */
  readonly label: string;
  /** The minimum width of the table in pixels. */
  readonly minWidth: number;
  readonly children: ReactNode;
}

/** A table that scrolls sideways if it does not fit. It fades out at an edge beyond which there is more content. */
export function WideTable({ label, minWidth, children }: WideTableProps) {
  const frame = useRef<HTMLElement>(null);
  const [more, setMore] = useState<HiddenSides>('none');
  useLayoutEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const measure = () => setMore(findHiddenSides(current));
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(current);
    for (const child of current.children) sizes.observe(child);
    current.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener('scroll', measure);
    };
  }, []);
  return (
    <section
      ref={frame}
      className={classes.frame}
      aria-label={label}
      data-more={more}
      // Without a mouse, the user scrolls the table with the arrow keys.
      tabIndex={more === 'none' ? undefined : 0}
    >
      <div style={{ minWidth }}>{children}</div>
    </section>
  );
}

type HiddenSides = 'none' | 'before' | 'after' | 'both';

function findHiddenSides({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): HiddenSides {
  const before = scrollLeft > 1;
  const after = scrollLeft + clientWidth < scrollWidth - 1;
  if (before) return after ? 'both' : 'before';
  return after ? 'after' : 'none';
}
