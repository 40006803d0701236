import { useEffect, useMemo, useState } from 'react';
import { runWithoutPauses, runWithPauses, type Work } from './work.ts';

/** With at least this many steps, work pauses to let the page respond. */
const IN_TURNS_FROM_STEPS = 2000;

/**
 * Returns the result of the work. With few steps, the result is available in the first render; with many steps, in a later render. Until
 * then returns the previous result of work with many steps, or undefined. `begin` must be the same function for the same work.
 */
export function useWork<Result>(begin: () => Work<Result>, steps: number): Result | undefined {
  const large = steps >= IN_TURNS_FROM_STEPS;
  const now = useMemo(() => (large ? undefined : { result: runWithoutPauses(begin()) }), [begin, large]);
  const [later, setLater] = useState<{ readonly result: Result }>();
  useEffect(() => {
    if (!large) return;
    const given = new AbortController();
    const work = runWithPauses(begin(), given.signal);
    work.then(
      (result) => setLater({ result }),
      (cause: unknown) => {
        // An error is thrown during render, as it would be without pauses.
        if (!given.signal.aborted)
          setLater(() => {
            throw cause;
          });
      },
    );
    return () => given.abort();
  }, [begin, large]);
  return (now ?? later)?.result;
}
