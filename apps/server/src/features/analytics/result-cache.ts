/** Results that take long to compute. They are cached as long as the data they were computed from stays the same. */
export interface ResultCache<Answer> {
  /**
   * Returns the result under `key`, computed once for all concurrent callers. `state` identifies the underlying data; if it is undefined,
   * because the data can still change, nothing is cached.
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
  /** 0 until the result is computed. */
  size: number;
}

export function createResultCache<Answer>({
  count,
  measure,
  total,
}: ResultCacheLimits<Answer>): ResultCache<Answer> {
  const kept = new Map<string, Entry<Answer>>();
  let size = 0;

  const forget = (key: string, entry: Entry<Answer>): void => {
    if (kept.get(key) !== entry) return;
    kept.delete(key);
    size -= entry.size;
  };
  /** Removes the least recently used results first. */
  const forgetOldest = (): void => {
    for (const [key, entry] of kept) {
      if (kept.size <= count && size <= total) break;
      forget(key, entry);
    }
  };
  const add = (key: string, state: string, answer: Promise<Answer>): Promise<Answer> => {
    const entry: Entry<Answer> = { state, answer, size: 0 };
    kept.set(key, entry);
    answer.then(
      (made) => {
        if (kept.get(key) !== entry) return;
        entry.size = measure(made);
        size += entry.size;
        forgetOldest();
      },
      () => forget(key, entry),
    );
    forgetOldest();
    return answer;
  };

  return {
    find(key, state, make) {
      if (state === undefined) return make();
      const known = kept.get(key);
      if (known?.state === state) {
        kept.delete(key);
        kept.set(key, known);
        return known.answer;
      }
      if (known !== undefined) forget(key, known);
      return add(key, state, make());
    },
  };
}
