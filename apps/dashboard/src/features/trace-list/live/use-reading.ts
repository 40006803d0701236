import { useCallback, useEffect, useRef, useState } from 'react';

/** A touch or a pen counts as having left the list this long after its last move over the list. Milliseconds. */
const TOUCH_MS = 3_000;
/** The list counts as scrolled from this offset on. Pixels. */
const TOP_PX = 40;

/** Says if the focus of the user, and the pointer, are on the rows of the list. */
export interface Attention {
  /** True if a row, or a control in it, has the focus. */
  readonly focused: boolean;
  /** The last event of the pointer. Undefined if only the focus changed: the previous event then still counts. */
  readonly pointer?: 'rests' | 'touches' | 'left';
}

/**
 * Returns whether the viewer is reading rows: the list is scrolled, a row has the focus, or the pointer is on the rows. No row may move
 * then. `onAttention` reports the focus and the pointer; `stopReading` ends the reading.
 */
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

  /** Scrolls to the top and ends the reading. */
  const stopReading = useCallback(() => {
    setFocused(false);
    setPointed(false);
    window.scrollTo({ top: 0 });
  }, []);

  return { reading: scrolled || focused || pointed, onAttention, stopReading };
}
