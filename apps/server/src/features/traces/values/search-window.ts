import type { ValueCondition } from '@throughline/contract';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { inSlices } from '../detail/in-slices.ts';
import type { Conditions } from '../list/conditions.ts';
import { hasValue } from './has-value.ts';
import { buildValueConditions } from './value-conditions-store.ts';
import {
  type Candidate,
  findCandidates,
  findWindow,
  isStopped,
  readCandidates,
  type SearchWindow,
  type StepRow,
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

/** The hits of a window, and the start of the time that was searched, which is later than the window's if a limit was reached. */
export interface SearchedWindow {
  readonly hits: Hits;
  readonly since: bigint;
  readonly reachedMaxHits: boolean;
}

/** A statement gets at least this time, so that a search on a busy server makes progress. Seconds. */
const MIN_STATEMENT_S = 3;
/** Number of traces whose values are read at a time. */
const READ_AT_ONCE = 100;

/** Searches a window; undefined if ClickHouse stopped the statement because of its limits. */
export async function searchWindow(
  search: WindowSearch,
  window: SearchWindow,
): Promise<SearchedWindow | undefined> {
  const { store, among, condition, tests, deadlineMs, maxHits } = search;
  const isCertain = condition.kind === 'text' || condition.path.length === 1;
  const rows = isCertain ? maxHits + 1 : window.traces;
  let candidates: readonly Candidate[];
  try {
    const seconds = Math.max(MIN_STATEMENT_S, (deadlineMs - performance.now()) / 1000);
    candidates = await findCandidates(store, among, window, tests, { seconds, rows });
  } catch (error) {
    if (isStopped(error)) return undefined;
    throw error;
  }
  const hits = new Map<string, bigint>();
  const stopBefore = (next: Candidate, reachedMaxHits: boolean): SearchedWindow => ({
    // Traces with the same start are found again when the search continues.
    hits: new Map([...hits].filter(([, micros]) => micros > next.micros)),
    since: next.micros + 1n,
    reachedMaxHits,
  });
  for (let at = 0; at < candidates.length; at += READ_AT_ONCE) {
    const some = candidates.slice(at, at + READ_AT_ONCE);
    const [first] = some;
    if (!isCertain && at > 0 && first !== undefined && performance.now() > deadlineMs)
      return stopBefore(first, false);
    const matching = isCertain ? some : await keepMatching(store, some, condition);
    for (const candidate of matching) {
      if (hits.size === maxHits) return stopBefore(candidate, true);
      hits.set(candidate.id, candidate.micros);
    }
  }
  return { hits, since: window.from, reachedMaxHits: false };
}

/** Keeps the candidates that have the member at the end of the whole path. */
async function keepMatching(
  store: TraceStore,
  candidates: readonly Candidate[],
  condition: Extract<ValueCondition, { readonly kind: 'member' }>,
): Promise<readonly Candidate[]> {
  const { steps, bodies } = await readCandidates(store, candidates, condition.path.at(-1) ?? '');
  const byOwner = Map.groupBy(steps, ({ owner }) => owner);
  const bodyOf = new Map(bodies.map((body) => [body.id, body]));
  const kept: Candidate[] = [];
  await inSlices(candidates, (candidate) => {
    const own: readonly StepRow[] =
      byOwner.get(candidate.has_spans ? candidate.trace_id : candidate.id) ?? [];
    if (hasValue(own, bodyOf.get(candidate.id), condition)) kept.push(candidate);
  });
  return kept;
}

/** Maximum time of a search in a few new traces for a live feed. */
const MAX_FEED_MS = 5000;

/** Returns the ids of those traces of `among`, at most `count`, that have such a value. */
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
  if (searched === undefined) throw new Error('the search for captured values took too long');
  return new Set(searched.hits.keys());
}
