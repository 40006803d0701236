import { useEffect, useMemo, useState } from 'react';
import { atOnce, inTurns, type Work } from './work.ts';

/** From so many steps on, what is worked out of them is done in turns. */
const IN_TURNS_FROM_STEPS = 2000;

/**
 * What work comes to: for a few steps with the very draw, for many a little later. Until then, and while it is done anew, what the work
 * before came to; undefined at first. `begin` must be kept while it stays the same work.
 */
export function useWork<Result>(begin: () => Work<Result>, steps: number): Result | undefined {
  const large = steps >= IN_TURNS_FROM_STEPS;
  const now = useMemo(() => (large ? undefined : { result: atOnce(begin()) }), [begin, large]);
  const [later, setLater] = useState<{ readonly result: Result }>();
  useEffect(() => {
    if (!large) return;
    const given = new AbortController();
    const work = inTurns(begin(), given.signal);
    work.then(
      (result) => setLater({ result }),
      (cause: unknown) => {
        // What fails is thrown where it is drawn, as it would be at once.
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
