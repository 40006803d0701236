import { boundResults, isResultTooLarge } from '../bounded-results.ts';
import type { TraceStore } from '../trace-store.ts';

/**
 * Approximate number of characters of a page. A read of several strings fails above `MAX_PAGE_BYTES`, and is repeated with fewer strings.
 */
const PAGE_CHARACTERS = 4_000_000;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const FIRST_PAGE = 16;
const MAX_PAGE = 1000;

/** Reads the strings with the indexes from `start` to `count - 1`, in order and in pages of a few megabytes. */
export async function* readTextPages(
  store: TraceStore,
  count: number,
  read: (store: TraceStore, from: number, until: number) => Promise<readonly string[]>,
  start = 0,
): AsyncGenerator<readonly string[]> {
  const bounded = boundResults(store, MAX_PAGE_BYTES);
  let size = FIRST_PAGE;
  for (let from = start; from < count; ) {
    const until = Math.min(count, from + size);
    let page: readonly string[];
    try {
      page = await read(until - from === 1 ? store : bounded, from, until);
    } catch (error) {
      if (until - from === 1 || !isResultTooLarge(error)) throw error;
      size = Math.ceil((until - from) / 4);
      continue;
    }
    yield page;
    const characters = page.reduce((sum, { length }) => sum + length, 0);
    const fitting = Math.floor((PAGE_CHARACTERS * (until - from)) / Math.max(1, characters));
    size = Math.max(1, Math.min(MAX_PAGE, fitting));
    from = until;
  }
}
