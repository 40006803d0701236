import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that is always the same, and does what the newest one given does: what it is handed to need not be drawn again. */
export function useLatest<Args extends readonly unknown[]>(
  act: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
