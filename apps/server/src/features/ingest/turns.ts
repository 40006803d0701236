import { FairQueue } from './fair-queue.ts';

/** Lets one task run at a time; of those that wait one of each owner in turn. */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  #busy = false;

  async run<T>(owner: string, task: () => Promise<T>): Promise<T> {
    if (this.#busy) await new Promise<void>((begin) => this.#waiting.add(owner, begin));
    this.#busy = true;
    try {
      return await task();
    } finally {
      const next = this.#waiting.take();
      // The next one goes on from here, so that nobody else can come in between; other work of the process can.
      if (next === undefined) this.#busy = false;
      else setImmediate(next);
    }
  }
}
