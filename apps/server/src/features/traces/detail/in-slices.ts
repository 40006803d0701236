/** The longest time that a large trace blocks the event loop. */
const SLICE_MS = 10;

/** Runs an action for each item and yields to the event loop between slices of the work. */
export async function inSlices<Item>(items: readonly Item[], act: (item: Item) => void): Promise<void> {
  let startMs = performance.now();
  for (const item of items) {
    act(item);
    if (performance.now() - startMs < SLICE_MS) continue;
    await new Promise(setImmediate);
    startMs = performance.now();
  }
}
