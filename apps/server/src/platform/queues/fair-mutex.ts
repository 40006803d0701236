import { FairQueue } from './fair-queue.ts';

/** Lets a few tasks run at a time, one unless told otherwise; of those that wait one of each owner in turn. */
export class FairMutex {
  readonly #waiting = new FairQueue<() => void>();
  /** Results of tasks that have not begun, by key. */
  readonly #shared = new Map<string, Promise<unknown>>();
  /** Ends when the newest of those who share a result has had it. */
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
      // The next one goes on from here, so that nobody else can come in between; other work of the process can.
      if (next === undefined) this.#free += 1;
      else setImmediate(next);
    }
  }

  /** The same, but what is asked for while a task of the same key has not begun yet shares its result. A key names the result's type. */
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

  /** One after the other: each makes an answer of it, and other work of the process goes on between. */
  async #hand<T>(shared: Promise<T>): Promise<T> {
    const result = await shared;
    this.#lastHanded = this.#lastHanded.then(() => new Promise(setImmediate));
    await this.#lastHanded;
    return result;
  }
}
