import { useCallback, useEffect, useRef, useState } from 'react';
import { nextTurn } from '../../../work/work.ts';
import type { CallLayout } from '../layout/layout-types.ts';
import { listInView, type Size, type View } from './viewport.ts';

/** So many cards are added between two frames: more would hold the page up. */
const PORTION = 120;

/** The functions whose cards are drawn, and what to call when the view moves. */
export interface DrawnIds {
  readonly ids: ReadonlySet<string>;
  readonly look: (view: View, canvas: Size) => void;
}

/** Draws the cards that are in view, and a portion at a time where the view gets thousands more. */
export function useDrawnIds(layout: CallLayout): DrawnIds {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const drawn = useRef<ReadonlySet<string>>(ids);
  const wanted = useRef<readonly string[]>([]);
  const isAdding = useRef(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const draw = useCallback((next: ReadonlySet<string>) => {
    drawn.current = next;
    setIds(next);
  }, []);

  const add = useCallback(async () => {
    if (isAdding.current) return;
    isAdding.current = true;
    for (;;) {
      const missing = wanted.current.filter((id) => !drawn.current.has(id));
      if (missing.length === 0 || isGone.current) break;
      draw(new Set([...drawn.current, ...missing.slice(0, PORTION)]));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await nextTurn();
    }
    isAdding.current = false;
  }, [draw]);

  const look = useCallback(
    (view: View, canvas: Size) => {
      wanted.current = listInView(layout, view, canvas);
      const isWanted = new Set(wanted.current);
      const kept = [...drawn.current].filter((id) => isWanted.has(id));
      // Cards out of view stay until there are many: each would be drawn again on the way back.
      if (drawn.current.size - kept.length > PORTION) draw(new Set(kept));
      void add();
    },
    [layout, add, draw],
  );
  return { ids, look };
}
