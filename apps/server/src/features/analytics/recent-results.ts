import { LRUCache } from 'lru-cache';

/** The time after which a result is computed again in the background, and the time after which the result is no longer used. */
const AGE_MS = { refreshed: 5 * 60_000, most: 10 * 60_000 } as const;

/** A result, and the time at which its computation began. */
export interface DatedResult<Answer> {
  readonly answer: Answer;
  readonly at: Date;
}

/** A cache for results of time ranges to which requests are still being added. */
export interface RecentResults<Answer> {
  find(question: Question<Answer>): Promise<DatedResult<Answer>>;
}

export interface Question<Answer> {
  readonly key: string;
  readonly now: Date;
  /**
   * True if a result must be computed, even if a result is cached. The computed result replaces a cached result of the same key. If no
   * result of the key is cached, the computed result is not cached either.
   */
  readonly isFresh: boolean;
  /** Identifies the data that a computation at the given time assumes to be complete; undefined while that data changes. */
  readonly readState: (at: Date) => Promise<string | undefined>;
  readonly make: () => Promise<Answer>;
}

interface Entry<Answer> extends DatedResult<Answer> {
  readonly state: string;
}

/**
 * Caches results for ten minutes, so that a dashboard that reloads every minute does not repeat a slow computation. A result older than
 * five minutes is still returned, and is computed again in the background. `isKept` selects the results that take long to compute.
 */
export function createRecentResults<Answer>(given: {
  readonly count: number;
  readonly isKept: (answer: Answer) => boolean;
  readonly onError: (error: unknown) => void;
}): RecentResults<Answer> {
  const entries = new LRUCache<string, Entry<Answer>>({ max: given.count });
  const refreshed = new Set<string>();

  const compute = async (question: Question<Answer>): Promise<DatedResult<Answer>> => {
    const { key, now, isFresh, readState, make } = question;
    // The state is read before the computation. If data changes during the computation, the cached result has an outdated state and is not
    // used.
    const state = await readState(now);
    const answer = await make();
    if (state === undefined || !given.isKept(answer)) entries.delete(key);
    // Alerts ask for fresh results of their own ranges, which no dashboard asks for. In the cache, results for alerts would replace results
    // for dashboards.
    else if (!isFresh || entries.has(key)) entries.set(key, { answer, at: now, state });
    return { answer, at: now };
  };

  const refresh = async (question: Question<Answer>) => {
    if (refreshed.has(question.key)) return;
    refreshed.add(question.key);
    try {
      await compute(question);
    } catch (error) {
      given.onError(error);
    } finally {
      refreshed.delete(question.key);
    }
  };

  return {
    async find(question) {
      const { key, now, isFresh, readState } = question;
      const known = isFresh ? undefined : entries.get(key);
      const ageMs = known === undefined ? 0 : now.getTime() - known.at.getTime();
      if (known === undefined || ageMs < 0 || ageMs >= AGE_MS.most) return compute(question);
      if ((await readState(known.at)) !== known.state) return compute(question);
      if (ageMs >= AGE_MS.refreshed) void refresh(question);
      return known;
    },
  };
}
