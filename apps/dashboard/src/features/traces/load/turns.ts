/** The page lets others have a turn after so long. Milliseconds. */
const TURN_MS = 30;

/** Whether what began then has had its turn. */
export function isLate(startedMs: number): boolean {
  return performance.now() - startedMs > TURN_MS;
}

/** Lets the page draw and answer before going on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
