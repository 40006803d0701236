import { useRef } from 'react';

/** A function that acts on its first call alone: a dialog that closes when it is confirmed is still there for a second click. */
export function useOnce<Given extends readonly unknown[]>(
  act: (...given: Given) => void,
): (...given: Given) => void {
  const isDone = useRef(false);
  return (...given) => {
    if (isDone.current) return;
    isDone.current = true;
    act(...given);
  };
}
