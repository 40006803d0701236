import { useCallback, useEffect, useRef, useState } from 'react';
import { nextTurn } from '../../../work/work.ts';
import type { CallLayout } from '../layout/layout-types.ts';
import { listInView, type Size, type View } from './viewport.ts';

/** Maximum number of cards that are added per frame. More cards would block the page. */
const PORTION = 60;
/** Up to this many cards out of view stay drawn, so that they need not be drawn again when the user scrolls back. */
const MAX_OUT_OF_VIEW = 120;
/**
 * Maximum number of cards that are removed per frame. React Flow throws and catches an error for each removed card, so removing 2,000 cards
 * in one frame took a second.
 */
const MAX_GOING = 120;

/** The functions whose cards are drawn, and the callback for when the view moves. */
export interface DrawnIds {
  readonly ids: ReadonlySet<string>;
  readonly look: (view: View, canvas: Size) => void;
  /** False while many cards that are out of view are still drawn. */
  readonly isSettled: () => boolean;
}

/** Draws the cards in view. If thousands of cards enter or leave the view, they are added or removed in portions. */
export function useDrawnIds(layout: CallLayout): DrawnIds {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const drawn = useRef(ids);
  const wanted = useRef<ReadonlySet<string>>(ids);
  const isAtWork = useRef(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const work = useCallback(async () => {
    if (isAtWork.current) return;
    isAtWork.current = true;
    while (!isGone.current) {
      const next = takeStep(drawn.current, wanted.current);
      if (next === undefined) break;
      drawn.current = next;
      setIds(next);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await nextTurn();
    }
    isAtWork.current = false;
  }, []);

  const look = useCallback(
    (view: View, canvas: Size) => {
      wanted.current = new Set(listInView(layout, view, canvas));
      void work();
    },
    [layout, work],
  );
  const isSettled = useCallback(() => drawn.current.size <= wanted.current.size + MAX_OUT_OF_VIEW, []);
  return { ids, look, isSettled };
}

/** Returns the next set of drawn cards on the way to the wanted set, or undefined if the wanted set is drawn. */
function takeStep(drawn: ReadonlySet<string>, wanted: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const missing = [...wanted].filter((id) => !drawn.has(id)).slice(0, PORTION);
  const others = [...drawn].filter((id) => !wanted.has(id));
  const going = others.length > MAX_OUT_OF_VIEW ? others.slice(0, MAX_GOING) : [];
  if (missing.length === 0 && going.length === 0) return undefined;
  const next = new Set([...drawn, ...missing]);
  for (const id of going) next.delete(id);
  return next;
}
