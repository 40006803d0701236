import { setTimeout as wait } from 'node:timers/promises';

/** A connection that runs one query after the other. */
export class Connection {
  readonly #latency: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(latency: number) {
    this.#latency = latency;
  }

  run<Rows>(select: () => Rows): Promise<Rows> {
    const rows = this.#last.then(async () => {
      await wait(this.#latency);
      return select();
    });
    this.#last = rows.catch(() => undefined);
    return rows;
  }
}
