import { FairQueue } from './fair-queue.ts';

/** Lets a few tasks run at a time, one unless told otherwise; of those that wait one of each owner in turn. */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
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
}
