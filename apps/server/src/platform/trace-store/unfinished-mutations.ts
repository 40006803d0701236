import { setTimeout as pause } from 'node:timers/promises';

/** The code of ClickHouse's error UNFINISHED. */
const UNFINISHED = 341;
/** Maximum time for which an unfinished mutation is repeated. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = { first: 20, longest: 1000 } as const;

/**
 * Runs a statement that changes or deletes stored rows. ClickHouse carries out the statement as a mutation of each part. If one part fails,
 * for example because another statement drops a partition at that moment, ClickHouse responds with the error UNFINISHED and tries again in
 * the background. This function then runs the statement again, and ClickHouse responds only when the earlier mutations have ended, too.
 * @throws the error of the last attempt, if the mutation still fails after ten seconds
 */
export async function runMutation(run: () => Promise<void>, patienceMs = PATIENCE_MS): Promise<void> {
  const endMs = performance.now() + patienceMs;
  for (let pauseMs: number = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    try {
      await run();
      return;
    } catch (error) {
      if (!isUnfinished(error) || performance.now() + pauseMs > endMs) throw error;
    }
    await pause(pauseMs);
  }
}

/**
 * True for ClickHouse's error UNFINISHED. The client of a server and the embedded engine put the error's code into different properties.
 */
function isUnfinished(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const embedded = 'clickhouseCode' in error && error.clickhouseCode === UNFINISHED;
  return embedded || ('code' in error && error.code === String(UNFINISHED));
}
