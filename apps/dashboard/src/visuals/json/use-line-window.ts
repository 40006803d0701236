import { useCallback, useEffect, useState } from 'react';

export const LINE_PX = 20;
/** Browsers draw nothing beyond about 17 million pixels: longer JSON scrolls further per pixel of the scroll bar. */
const MAX_PX = 8_000_000;
/** The number of lines drawn beyond each edge of the box. */
const BEYOND = 15;

/** The lines to draw, and their position. */
export interface LineWindow {
  readonly first: number;
  /** The index after the last line to draw. */
  readonly end: number;
  /** The top of the first drawn line in the scrolled space. Pixels. */
  readonly topPx: number;
  /** The height of the scrolled space. Pixels. */
  readonly spacePx: number;
}

/** Returns the lines to draw, out of `count` lines, in a box with this height and scroll position. Pixels. */
export function computeLineWindow(count: number, boxPx: number, scrolledPx: number): LineWindow {
  const wholePx = count * LINE_PX;
  const spacePx = Math.min(wholePx, MAX_PX);
  const atPx = scrolledPx * computeScale(count, boxPx);
  const first = Math.max(0, Math.floor(atPx / LINE_PX) - BEYOND);
  const end = Math.min(count, Math.ceil((atPx + boxPx) / LINE_PX) + BEYOND);
  return { first, end, topPx: scrolledPx - (atPx - first * LINE_PX), spacePx };
}

/**
 * Returns the scroll position that shows the line: at the nearer edge if the line is at most two lines out of view, otherwise in the
 * middle. Returns undefined if the line is already in view.
 */
export function scrollToSee(
  count: number,
  boxPx: number,
  scrolledPx: number,
  index: number,
): number | undefined {
  const scale = computeScale(count, boxPx);
  const atPx = scrolledPx * scale;
  const linePx = index * LINE_PX;
  if (linePx >= atPx && linePx + LINE_PX <= atPx + boxPx) return undefined;
  const near = linePx < atPx ? linePx : linePx + LINE_PX - boxPx;
  const step = Math.abs(near - atPx) <= LINE_PX * 2;
  return Math.max(0, step ? near : linePx - boxPx / 2) / scale;
}

function computeScale(count: number, boxPx: number): number {
  const wholePx = count * LINE_PX;
  return wholePx <= MAX_PX ? 1 : (wholePx - boxPx) / (MAX_PX - boxPx);
}

/** Tracks a box's scroll position and height. */
export function useLineWindow(box: HTMLElement | null, count: number) {
  const [seen, setSeen] = useState({ boxPx: 0, scrolledPx: 0 });
  useEffect(() => {
    if (box === null) return;
    const look = () => setSeen({ boxPx: box.clientHeight, scrolledPx: box.scrollTop });
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [box]);
  const show = useCallback(
    (index: number) => {
      if (box === null) return;
      const top = scrollToSee(count, box.clientHeight, box.scrollTop, index);
      if (top !== undefined) box.scrollTop = top;
    },
    [box, count],
  );
  return { window: computeLineWindow(count, seen.boxPx, seen.scrolledPx), show };
}
