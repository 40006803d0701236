/** Longer than this nothing else of the process waits for a large trace. */
const SLICE_MS = 10;

/** Does something with each item, and lets others have their turn between slices of the work. */
export async function inSlices<Item>(items: readonly Item[], act: (item: Item) => void): Promise<void> {
  let startMs = performance.now();
  for (const item of items) {
    act(item);
    if (performance.now() - startMs < SLICE_MS) continue;
    await new Promise(setImmediate);
    startMs = performance.now();
  }
}
