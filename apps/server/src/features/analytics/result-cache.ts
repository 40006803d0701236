import { LRUCache } from 'lru-cache';

/** A cache for results that take long to compute. A result is cached as long as the data that it was computed from stays the same. */
export interface ResultCache<Answer> {
  /**
   * Returns the cached result under `key` if it was computed from the same `state`, or is being computed from it. Otherwise calls `make`.
   * `state` identifies the underlying data. If `state` is undefined, because the data can still change, nothing is cached.
   */
  find(key: string, state: string | undefined, make: () => Promise<Answer>): Promise<Answer>;
}

/** The cache's limits: at most `count` results, whose sizes (by `measure`) add up to at most `total`. */
export interface ResultCacheLimits<Answer> {
  readonly count: number;
  readonly measure: (answer: Answer) => number;
  readonly total: number;
}

interface Entry<Answer> {
  readonly state: string;
  readonly answer: Promise<Answer>;
}

export function createResultCache<Answer>({
  count,
  measure,
  total,
}: ResultCacheLimits<Answer>): ResultCache<Answer> {
  const results = new LRUCache<string, Entry<Answer>>({ max: count, maxSize: total });

  const add = (key: string, state: string, answer: Promise<Answer>): Promise<Answer> => {
    // The size is known only when the result has been computed. Until then, the entry has the size 1.
    results.set(key, { state, answer }, { size: 1 });
    const isCached = () => results.peek(key)?.answer === answer;
    answer.then(
      (made) => {
        // Stores a new object, because lru-cache ignores the size if the stored object is the same.
        if (isCached()) results.set(key, { state, answer }, { size: Math.max(1, measure(made)) });
      },
      () => {
        if (isCached()) results.delete(key);
      },
    );
    return answer;
  };

  return {
    find(key, state, make) {
      if (state === undefined) return make();
      const known = results.get(key);
      return known?.state === state ? known.answer : add(key, state, make());
    },
  };
}
