import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';

/** The number of rows rendered beyond each edge of the window. */
const BEYOND = 12;
/** The rendered range moves in steps of this many rows, so that scrolling by one row rarely causes a render. */
const STRIDE = 4;
/** The height of the fixed parts at the top and at the bottom of the window, such as the bar for selected rows. Pixels. */
const ABOVE_PX = 120;
const BELOW_PX = 64;

/** The rows to render: `first` to `last`, both inclusive. If the list has no rows, `last` is less than `first`. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the range to render, for rows of equal height: the rows in the window, and at least `BEYOND` more beyond each edge. `topPx` is the
 * top of the first row relative to the window.
 */
export function findRowsInView(topPx: number, windowPx: number, rowPx: number, count: number): RowRange {
  const first = Math.floor(-topPx / rowPx) - BEYOND;
  const last = Math.ceil((windowPx - topPx) / rowPx) + BEYOND;
  return {
    first: Math.max(0, Math.min(count - 1, Math.floor(first / STRIDE) * STRIDE)),
    last: Math.max(-1, Math.min(count - 1, Math.ceil(last / STRIDE) * STRIDE)),
  };
}

interface RowWindow {
  readonly range: RowRange;
  /** Scrolls only as far as needed to show the row. */
  readonly scrollTo: (index: number) => void;
}

/** Tracks which rows of a list are in view while the page scrolls. All rows have the same height. */
export function useRowWindow(body: RefObject<HTMLElement | null>, rowPx: number, count: number): RowWindow {
  const [range, setRange] = useState<RowRange>(() => findRowsInView(0, window.innerHeight, rowPx, count));
  const look = useCallback(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    const next = findRowsInView(top, window.innerHeight, rowPx, count);
    setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
  }, [body, rowPx, count]);
  // Runs after each render, because content above the list can have changed its height.
  useLayoutEffect(() => look());
  useEffect(() => {
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [look]);
  const scrollTo = (index: number) => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + index * rowPx;
    const past = top + rowPx + BELOW_PX - window.innerHeight;
    if (top < ABOVE_PX) window.scrollBy({ top: top - ABOVE_PX });
    else if (past > 0) window.scrollBy({ top: past });
  };
  return { range, scrollTo };
}
