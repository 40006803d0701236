/**
 * Work in pieces: it pauses at each `yield`, so that its runner can let the page respond. A trace has up to 100,000 steps, and a loop over all
 * of them would freeze the page.
 */
export type Work<Result> = Generator<void, Result, void>;

/** So many items are gone through before work may stop: far less than a millisecond's. */
const PIECE = 256;

/** Goes through items in order, those too that are added meanwhile. */
export function* each<Item>(items: readonly Item[], act: (item: Item, index: number) => void): Work<void> {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item !== undefined) act(item, index);
    if (index % PIECE === PIECE - 1) yield;
  }
}

/** Does all of it now. */
export function atOnce<Result>(work: Work<Result>): Result {
  let piece = work.next();
  while (piece.done !== true) piece = work.next();
  return piece.value;
}

/** The page lets others have a turn after so long: a frame's time. Milliseconds. */
const TURN_MS = 16;

/** Does it in turns, between which the page draws and answers. Rejects with the signal's reason once that is given up. */
export async function inTurns<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
  let started = performance.now();
  for (let piece = work.next(); ; piece = work.next()) {
    if (piece.done === true) return piece.value;
    if (performance.now() - started < TURN_MS) continue;
    await nextTurn();
    signal?.throwIfAborted();
    started = performance.now();
  }
}

/** Lets the page draw and answer before going on. A message comes at once, where timers that follow each other wait 4 ms each. */
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
