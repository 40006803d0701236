/** Time after which the loop yields to the event loop. */
const SLICE_MS = 10;

/**
 * Runs an action for each item, such as each result of a generator. Yields to the event loop after each slice of the work, so that other
 * requests do not wait for all of the work.
 */
export async function runInSlices<Item>(items: Iterable<Item>, act: (item: Item) => void): Promise<void> {
  let startMs = performance.now();
  for (const item of items) {
    act(item);
    if (performance.now() - startMs < SLICE_MS) continue;
    await new Promise(setImmediate);
    startMs = performance.now();
  }
}
