/** Answers that take long to make, kept for as long as what they were made of is the same. */
export interface KeptAnswers {
  /**
   * The answer under `key`, made once for all who ask for it meanwhile. `state` says what it is made of; where that changes all the time
   * (undefined) nothing is kept.
   */
  of<Answer>(key: string, state: string | undefined, make: () => Promise<Answer>): Promise<Answer>;
}

const MOST = 200;

export function createKeptAnswers(most = MOST): KeptAnswers {
  const kept = new Map<string, { readonly state: string; readonly answer: Promise<unknown> }>();
  return {
    of<Answer>(key: string, state: string | undefined, make: () => Promise<Answer>): Promise<Answer> {
      if (state === undefined) return make();
      const known = kept.get(key);
      kept.delete(key);
      // What is under a key was made by the same caller: the key names the answer's kind.
      const answer = known?.state === state ? (known.answer as Promise<Answer>) : make();
      kept.set(key, { state, answer });
      answer.catch(() => {
        if (kept.get(key)?.answer === answer) kept.delete(key);
      });
      for (const [oldest] of kept) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
      return answer;
    },
  };
}
