import { useCallback, useEffect, useRef, useState } from 'react';

/** A finger points at nothing any more so long after it last moved over the list. Milliseconds. */
const TOUCH_MS = 3_000;
/** Scrolled further than this, the list is no longer at its top. Pixels. */
const TOP_PX = 40;

/** The part of the list that has the reader's attention. */
export interface Attention {
  /** One of them has the focus. */
  readonly focused: boolean;
  /** The last pointer event, if any: a mouse may rest without moving. */
  readonly pointer?: 'rests' | 'touches' | 'left';
}

/** True if somebody reads the list's rows now, so that no row may move: the list is scrolled, a row has the focus, or the pointer rests on one. */
export function useReading() {
  const [scrolled, setScrolled] = useState(false);
  const [focused, setFocused] = useState(false);
  const [pointed, setPointed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const look = () => setScrolled(window.scrollY > TOP_PX);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => {
      window.removeEventListener('scroll', look);
      clearTimeout(timer.current);
    };
  }, []);

  const onAttention = useCallback(({ focused, pointer }: Attention) => {
    setFocused(focused);
    if (pointer === undefined) return;
    clearTimeout(timer.current);
    setPointed(pointer !== 'left');
    if (pointer === 'touches') timer.current = setTimeout(() => setPointed(false), TOUCH_MS);
  }, []);

  /** The viewer asked for the new rows: back to the top, attention gone. */
  const stopReading = useCallback(() => {
    setFocused(false);
    setPointed(false);
    window.scrollTo({ top: 0 });
  }, []);

  return { reading: scrolled || focused || pointed, onAttention, stopReading };
}
