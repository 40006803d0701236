import { useEffect, useState } from 'react';

/** A step that is selected for less than this time fetches nothing. Milliseconds. */
const SETTLED_AFTER_MS = 100;

/** True once a step has been shown for a moment. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}
