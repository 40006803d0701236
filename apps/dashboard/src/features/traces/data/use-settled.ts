import { useEffect, useState } from 'react';

/** Nothing is fetched for a step until it has been selected for this time. Milliseconds. */
const SETTLED_AFTER_MS = 100;

/** True once the step has been selected for `SETTLED_AFTER_MS`. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}
