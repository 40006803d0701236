/**
 * Work that can be paused: each `yield` lets the runner give the page time to respond. A trace has up to 100,000 steps, and a loop over all
 * of them would freeze the page.
 */
export type Work<Result> = Generator<void, Result, void>;

/** The number of items that are processed before work may pause. Processing them takes far less than a millisecond. */
const PIECE = 256;

/** Processes items in order, including items that are added during the loop. */
export function* each<Item>(items: readonly Item[], act: (item: Item, index: number) => void): Work<void> {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item !== undefined) act(item, index);
    if (index % PIECE === PIECE - 1) yield;
  }
}

/** Runs the whole work without pauses. */
export function runWithoutPauses<Result>(work: Work<Result>): Result {
  let piece = work.next();
  while (piece.done !== true) piece = work.next();
  return piece.value;
}

/** Work pauses after this time, so that the page can draw: the duration of an animation frame. Milliseconds. */
const TURN_MS = 16;

/** Runs work with pauses in which the page can draw and respond. Rejects with the signal's reason if the signal is aborted. */
export async function runWithPauses<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
  let started = performance.now();
  for (let piece = work.next(); ; piece = work.next()) {
    if (piece.done === true) return piece.value;
    if (performance.now() - started < TURN_MS) continue;
    await nextTurn();
    signal?.throwIfAborted();
    started = performance.now();
  }
}

/** Lets the page draw and respond. Uses a message, which arrives immediately, since successive timers wait 4 ms each. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
