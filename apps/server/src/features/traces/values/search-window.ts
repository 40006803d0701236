import type { ValueCondition } from '@throughline/contract';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { Conditions } from '../list/conditions.ts';
import { type Check, divide, findCertain, keepMatching } from './keep-matching.ts';
import { buildValueConditions } from './value-conditions-store.ts';
import {
  type Candidate,
  findCandidates,
  findWindow,
  isStopped,
  limitStatements,
  type SearchWindow,
  type ValueTests,
} from './value-search-store.ts';

/** Start of each found trace in epoch microseconds, by id. */
export type Hits = ReadonlyMap<string, bigint>;

export interface WindowSearch {
  readonly store: TraceStore;
  readonly among: Conditions;
  readonly condition: ValueCondition;
  readonly tests: ValueTests;
  /** When to stop, on the clock of `performance.now()`. */
  readonly deadlineMs: number;
  readonly maxHits: number;
}

/**
 * The hits of a window. `since` is the start of the time that was searched: the start of the window, or a later time if a limit was
 * reached.
 */
export interface SearchedWindow {
  readonly hits: Hits;
  readonly since: bigint;
  readonly reachedMaxHits: boolean;
}

/** A statement gets at least this time in seconds, so that a search on a busy server makes progress. */
const MIN_STATEMENT_S = 3;
/**
 * Number of traces that are checked at a time. Each statement reads whole granules (ClickHouse's smallest unit of reading), which contain
 * the steps of hundreds of traces.
 */
const CHECKED_AT_ONCE = 500;

/** Searches a window; undefined if ClickHouse stopped a statement because of its limits. */
export async function searchWindow(
  search: WindowSearch,
  window: SearchWindow,
): Promise<SearchedWindow | undefined> {
  try {
    return await searchCandidates(search, window);
  } catch (error) {
    if (isStopped(error)) return undefined;
    throw error;
  }
}

async function searchCandidates(search: WindowSearch, window: SearchWindow): Promise<SearchedWindow> {
  const { store, among, condition, tests, deadlineMs, maxHits } = search;
  const seconds = Math.max(MIN_STATEMENT_S, (deadlineMs - performance.now()) / 1000);
  const limited = limitStatements(store, seconds);
  const candidates = await findCandidates(limited, among, window, tests);
  // For a text, or a path of only one name, the SQL statement has already made the whole comparison.
  const compared = condition.kind === 'text' || condition.path.length === 1 ? undefined : condition;
  const hits = new Map<string, bigint>();
  const stopBefore = (next: Candidate, reachedMaxHits: boolean): SearchedWindow => ({
    // Leaves out traces with the same start as `next`, which are found again when the search continues.
    hits: new Map([...hits].filter(([, micros]) => micros > next.micros)),
    since: next.micros + 1n,
    reachedMaxHits,
  });
  let isFirst = true;
  for (let at = 0; at < candidates.length; at += CHECKED_AT_ONCE) {
    const some = candidates.slice(at, at + CHECKED_AT_ONCE);
    const certain = compared === undefined ? new Set<string>() : await findCertain(some, compared);
    const check: Check = { tests, condition: compared, certain };
    for (const batch of await divide(limited, some, check)) {
      const [first] = batch.candidates;
      // The first batch is always checked, so that each search makes progress.
      if (batch.reads && !isFirst && first !== undefined && performance.now() > deadlineMs)
        return stopBefore(first, false);
      isFirst = false;
      for (const candidate of await keepMatching(limited, batch.candidates, check)) {
        if (hits.size === maxHits) return stopBefore(candidate, true);
        hits.set(candidate.id, candidate.micros);
      }
    }
  }
  return { hits, since: window.from, reachedMaxHits: false };
}

/** Maximum time of a search in a few new traces for a live feed. */
const MAX_FEED_MS = 5000;

/**
 * Returns the ids of those traces of `among`, at most `count`, that have the searched value.
 * @throws Error if not all of these traces were searched in time
 */
export async function findAmongAll(
  store: TraceStore,
  among: Conditions,
  {
    projectIds,
    condition,
    count,
  }: { readonly projectIds: readonly string[]; readonly condition: ValueCondition; readonly count: number },
): Promise<ReadonlySet<string>> {
  const window = await findWindow(store, among, { from: undefined, until: undefined, count });
  if (window === undefined) return new Set();
  const tests = { projectIds, ...buildValueConditions(condition) };
  const deadlineMs = performance.now() + MAX_FEED_MS;
  const searched = await searchWindow({ store, among, condition, tests, deadlineMs, maxHits: count }, window);
  if (searched === undefined || searched.since > window.from)
    throw new Error('the search for captured values took too long');
  return new Set(searched.hits.keys());
}
