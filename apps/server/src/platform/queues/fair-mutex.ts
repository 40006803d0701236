import { FairQueue } from './fair-queue.ts';

/**
 * Runs a limited number of tasks at a time, by default one. Each task has an owner. If several owners have waiting tasks, the owners take
 * turns.
 */
export class FairMutex {
  readonly #waiting = new FairQueue<() => void>();
  /** Results of shared tasks that have not started yet, by key. */
  readonly #shared = new Map<string, Promise<unknown>>();
  /** Resolves when the caller that is last in line for a shared result receives that result. */
  #lastHanded: Promise<unknown> = Promise.resolve();
  #free: number;

  constructor(atOnce = 1) {
    this.#free = atOnce;
  }

  async run<T>(owner: string, task: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((begin) => this.#waiting.add(owner, begin));
    else this.#free -= 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.take();
      // The slot passes directly to the next task, so that no other task can take the slot. `setImmediate` lets other work of the process
      // run first.
      if (next === undefined) this.#free += 1;
      else setImmediate(next);
    }
  }

  /**
   * Like `run`, but callers with the same key share the result of one task, as long as the task has not started. All calls with a key must
   * have the same type of result.
   */
  runShared<T>(owner: string, key: string, task: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(key);
    if (known !== undefined) return this.#hand(known as Promise<T>);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#shared.set(key, promise);
    this.run(owner, () => {
      this.#shared.delete(key);
      return task();
    }).then(resolve, reject);
    return promise;
  }

  /**
   * Gives a shared result to one caller at a time. Each caller builds a response from the result, so other work of the process must be able
   * to run between two callers.
   */
  async #hand<T>(shared: Promise<T>): Promise<T> {
    const result = await shared;
    this.#lastHanded = this.#lastHanded.then(() => new Promise(setImmediate));
    await this.#lastHanded;
    return result;
  }
}
