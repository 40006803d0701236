import { useCallback, useEffect, useState } from 'react';

export const LINE_PX = 20;
/** Browsers draw nothing beyond some 17 million pixels: a longer text scrolls faster than the bar moves. */
const MAX_PX = 8_000_000;
/** Lines beyond the box's edges that are drawn, too. */
const BEYOND = 15;

/** Which lines are drawn, and where. */
export interface LineWindow {
  readonly first: number;
  /** Not included. */
  readonly end: number;
  /** Where the first drawn line's top is in the scrolled space. Pixels. */
  readonly topPx: number;
  /** The height of the scrolled space. Pixels. */
  readonly spacePx: number;
}

/** The window on `count` lines of a box of this height that is scrolled so far. Pixels. */
export function lineWindow(count: number, boxPx: number, scrolledPx: number): LineWindow {
  const wholePx = count * LINE_PX;
  const spacePx = Math.min(wholePx, MAX_PX);
  const atPx = scrolledPx * computeScale(count, boxPx);
  const first = Math.max(0, Math.floor(atPx / LINE_PX) - BEYOND);
  const end = Math.min(count, Math.ceil((atPx + boxPx) / LINE_PX) + BEYOND);
  return { first, end, topPx: scrolledPx - (atPx - first * LINE_PX), spacePx };
}

/** How far to scroll so that the line is seen: not at all where it is, else to the middle. Undefined: stay. */
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

/** Follows how a box is scrolled and how high it is. */
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
  return { window: lineWindow(count, seen.boxPx, seen.scrolledPx), show };
}
