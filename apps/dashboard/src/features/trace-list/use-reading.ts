import { useCallback, useEffect, useRef, useState } from 'react';

/** A pointer that has not moved over the list for so long reads nothing any more. Milliseconds. */
const POINTER_MS = 3_000;
/** Scrolled further than this, the list is no longer at its top. Pixels. */
const TOP_PX = 40;

/**
 * Whether somebody reads the list's rows just now, so that nothing may move there: it is scrolled, a row has the focus,
 * or the pointer moved over it a moment ago.
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

  const onAttention = useCallback((attention: { readonly focused: boolean }) => {
    setFocused(attention.focused);
    setPointed(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setPointed(false), POINTER_MS);
  }, []);

  /** The viewer asked for the new rows: back to the top, attention gone. */
  const stopReading = useCallback(() => {
    setFocused(false);
    setPointed(false);
    window.scrollTo({ top: 0 });
  }, []);

  return { reading: scrolled || focused || pointed, onAttention, stopReading };
}
