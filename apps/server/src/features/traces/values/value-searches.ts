import {
  formatInstant,
  MAX_VALUE_MATCHES,
  MIN_MICROS,
  parseValueCondition,
  type ValueCondition,
  type ValueSearch,
} from '@throughline/contract';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { ShownProject } from '../../../platform/http/guard.ts';
import { FairMutex } from '../../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { ListQuery } from '../list/list-query.ts';
import { endPeriod } from '../list/pieces.ts';
import { buildConditions } from '../list/selection-store.ts';
import { addPart, findSearchedSince, type Progress, startProgress } from './search-progress.ts';
import { searchWindow, type WindowSearch } from './search-window.ts';
import { buildValueConditions } from './value-conditions-store.ts';
import { findWindow, type SearchWindow } from './value-search-store.ts';

/**
 * A list query after its searches over captured values. `query.found` has the ids of the traces with the searched value, and
 * `query.without` has the ids of the traces with the excluded value. The range of the query is limited to the searched time. Without such a
 * search, the query is unchanged.
 */
export interface ResolvedQuery {
  readonly query: ListQuery;
  /** Undefined if the whole range was searched, or if the query has no such search. */
  readonly search: ValueSearch | undefined;
}

/** A resolved query, and the time when its search last searched new traces; the time is undefined if the query has no search. */
interface FoundQuery {
  readonly resolved: ResolvedQuery;
  readonly newest: bigint | undefined;
}

export interface SearchOptions {
  /** The user who searches. Searches of several users take turns. */
  readonly owner: string;
  /**
   * True if this call continues the search that earlier API requests for the list began; false if the call only uses their result. If there
   * is no search yet, the call begins one in both cases.
   */
  readonly continues: boolean;
  /** If the search has not reached this time yet, the call continues it even if `continues` is false. Epoch microseconds. */
  readonly backTo?: bigint | undefined;
}

/** Limits of searches. */
export interface SearchLimits {
  /** Time in milliseconds after which a request begins no further window. */
  readonly maxMs: number;
  readonly maxMatches: number;
  /** Number of traces in the first window. Later windows adapt to the time that statements take. */
  readonly windowTraces: number;
}
const LIMITS: SearchLimits = { maxMs: 4000, maxMatches: MAX_VALUE_MATCHES, windowTraces: 1000 };
/** A search is forgotten after this time, because late traces can have arrived in the searched time. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_SEARCHES = 50;
/** Length of the time before the last search that is searched again, because requests arrive only after they have ended. */
const SEARCHED_AGAIN_MICROS = 2n * 60_000_000n;
/** Minimum and maximum number of traces per statement, and the time that a statement should take. */
const WINDOW = { least: 20, most: 20_000, targetMs: 700 } as const;

/**
 * Searches over captured values. The API requests of a page, such as for its list and charts, share one search, and a later
 * request continues it, so that each request takes a limited time.
 */
export class ValueSearches {
  readonly #store: TraceStore;
  readonly #clock: Clock;
  readonly limits: SearchLimits;
  readonly #turns = new FairMutex();
  readonly #searches = new Map<string, Progress>();

  constructor(store: TraceStore, clock: Clock, limits = LIMITS) {
    this.#store = store;
    this.#clock = clock;
    this.limits = limits;
  }

  /** Runs the query's searches over captured values, if the query has any: for a searched value, and for an excluded value. */
  async resolve(
    projects: readonly ShownProject[],
    query: ListQuery,
    options: SearchOptions,
  ): Promise<ResolvedQuery> {
    const { excluded: { value: [without] = [], ...excluded } = {}, ...filters } = query.filters;
    const { resolved } = await this.#find(projects, query, options);
    if (without === undefined) return resolved;
    const selected = { ...query, filters: { ...filters, excluded, value: without } };
    return excludeFound(resolved, await this.#find(projects, selected, options));
  }

  async #find(
    projects: readonly ShownProject[],
    query: ListQuery,
    { owner, continues, backTo }: SearchOptions,
  ): Promise<FoundQuery> {
    const { condition } = parseValueCondition(query.filters.value ?? '');
    if (condition === undefined || projects.length === 0)
      return { resolved: { query, search: undefined }, newest: undefined };
    const askedMs = performance.now();
    return this.#turns.run(owner, async () => {
      const progress = this.#findProgress(projects, query);
      const isNew = progress.since === undefined;
      // Another request for the same list can have searched while this request waited for its turn.
      if (isNew || ((continues || isShort(progress, query, backTo)) && progress.endedMs < askedMs))
        await this.#search(progress, { projects, query, condition });
      return { resolved: applyProgress(query, progress), newest: progress.newest };
    });
  }

  #findProgress(projects: readonly ShownProject[], { filters, attributes, until }: ListQuery): Progress {
    const nowMs = performance.now();
    const key = JSON.stringify([projects.map(({ id }) => id), filters, attributes, until?.toString()]);
    for (const [name, { startedMs }] of this.#searches) {
      if (nowMs - startedMs > MAX_AGE_MS || (this.#searches.size >= MAX_SEARCHES && !this.#searches.has(key)))
        this.#searches.delete(name);
    }
    const known = this.#searches.get(key);
    if (known !== undefined) return known;
    const started = startProgress(nowMs, this.limits.windowTraces);
    this.#searches.set(key, started);
    return started;
  }

  async #search(
    progress: Progress,
    {
      projects,
      query,
      condition,
    }: { projects: readonly ShownProject[]; query: ListQuery; condition: ValueCondition },
  ): Promise<void> {
    const { since } = progress;
    const [from, nowMicros] = [query.from ?? MIN_MICROS, this.#clock.nowMicros()];
    const search = {
      store: this.#store,
      among: await buildConditions(this.#store, projects, query),
      condition,
      tests: { projectIds: projects.map(({ id }) => id), ...buildValueConditions(condition) },
      deadlineMs: performance.now() + this.limits.maxMs,
      maxHits: this.limits.maxMatches,
    };
    if (since === undefined) await this.#searchBack(progress, search, { from, until: query.until });
    else {
      const until = query.until ?? nowMicros;
      // Until the search has reached the start of the range, each request spends its time on older traces rather than on searching recent
      // traces again. A search that has found enough traces does not continue to older ones.
      const isBehind = (since > from && !progress.isFull) || progress.gap !== undefined;
      const overlap = progress.newest - (isBehind ? 0n : SEARCHED_AGAIN_MICROS);
      const top = overlap > since ? overlap : since;
      await this.#addPart(progress, search, { from: top, until, end: query.until });
      const { gap } = progress;
      if (gap !== undefined) await this.#addPart(progress, search, { ...gap, end: gap.until });
      if (
        progress.gap === undefined &&
        progress.since !== undefined &&
        progress.since > from &&
        !progress.isFull
      )
        await this.#searchBack(progress, search, { from, until: progress.since });
    }
    progress.newest = nowMicros;
    progress.endedMs = performance.now();
  }

  /**
   * Searches a range that is later than the searched time: either new traces, or the gap that an earlier search left. Without `end`, the
   * range reaches to the newest trace.
   */
  async #addPart(
    progress: Progress,
    search: WindowSearch,
    { from, until, end }: { readonly from: bigint; readonly until: bigint; readonly end: bigint | undefined },
  ): Promise<void> {
    const part = {
      ...startProgress(progress.startedMs, progress.windowTraces),
      minSteps: progress.minSteps,
    };
    await this.#searchBack(part, search, { from, until: end });
    addPart(progress, { part, from, until }, search.maxHits);
  }

  /** Searches window by window, until everything since `from` is searched or a limit is reached. */
  async #searchBack(
    progress: Progress,
    search: WindowSearch,
    { from, until: end }: { readonly from: bigint; readonly until: bigint | undefined },
  ): Promise<void> {
    let until = end;
    do {
      const startMs = performance.now();
      const window = await findWindow(search.store, search.among, {
        from,
        until,
        count: progress.windowTraces,
      });
      if (window === undefined) {
        progress.since = from;
        return;
      }
      const searched = await searchWindow(
        { ...search, maxHits: search.maxHits - progress.hits.size },
        window,
      );
      if (searched === undefined) {
        if (progress.windowTraces <= WINDOW.least && performance.now() < search.deadlineMs)
          throw new AppError('overloaded');
        progress.windowTraces = Math.max(WINDOW.least, Math.floor(progress.windowTraces / 4));
        progress.minSteps /= 4;
        continue;
      }
      for (const [id, micros] of searched.hits) progress.hits.set(id, micros);
      progress.since = searched.since;
      progress.isFull = searched.reachedMaxHits;
      if (searched.since > window.from) return;
      until = window.from;
      progress.windowTraces = adaptWindow(progress, window, performance.now() - startMs);
    } while (performance.now() < search.deadlineMs);
  }
}

/** Computes the number of traces in the window after this one. */
function adaptWindow({ minSteps }: Progress, { traces, steps }: SearchWindow, tookMs: number): number {
  const fitting = traces * Math.min(4, WINDOW.targetMs / Math.max(1, tookMs));
  const useful = traces * Math.min(4, minSteps / Math.max(1, steps));
  return Math.min(WINDOW.most, Math.max(WINDOW.least, Math.floor(fitting), Math.floor(useful)));
}

/** True if the search has not reached the time `backTo` yet, and can continue to older traces. */
function isShort(progress: Progress, { from = MIN_MICROS }: ListQuery, backTo: bigint | undefined): boolean {
  const since = findSearchedSince(progress);
  if (backTo === undefined || since === undefined || (progress.isFull && progress.gap === undefined))
    return false;
  return since > from && since > backTo;
}

/** Excludes the traces that another search found. Lists only the time that both searches have covered. */
function excludeFound({ query, search }: ResolvedQuery, { resolved, newest }: FoundQuery): ResolvedQuery {
  const { query: searched } = resolved;
  const isShorter = (searched.from ?? MIN_MICROS) > (query.from ?? MIN_MICROS);
  const from = isShorter ? searched.from : query.from;
  const until = newest === undefined ? undefined : endPeriod(from ?? MIN_MICROS, newest);
  const isNewer = until !== undefined && (query.until === undefined || query.until > until);
  return {
    // The search for the excluded value has not covered traces after `until`, so they are not listed.
    query: { ...query, from, until: isNewer ? until : query.until, without: searched.found },
    search: isShorter ? resolved.search : search,
  };
}

function applyProgress(query: ListQuery, progress: Progress): ResolvedQuery {
  const { hits, isFull, gap, newest } = progress;
  // If not even one window was searched, the whole range must still be searched.
  const start = findSearchedSince(progress) ?? query.until ?? newest;
  const found = [...hits.keys()];
  if (start <= (query.from ?? MIN_MICROS)) return { query: { ...query, found }, search: undefined };
  const search: ValueSearch = {
    since: formatInstant(start),
    limit: isFull && gap === undefined ? 'matches' : 'time',
  };
  return { query: { ...query, from: start, found }, search };
}
