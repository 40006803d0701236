interface Waiting<Row> {
  key: number;
  resolve: (row: Row | undefined) => void;
  reject: (reason: unknown) => void;
}

/** Loads all rows that are requested in the same turn of the event loop with one query. */
export class BatchLoader<Row extends { id: number }> {
  readonly #select: (keys: number[]) => Promise<Row[]>;
  #waiting: Waiting<Row>[] = [];

  constructor(select: (keys: number[]) => Promise<Row[]>) {
    this.#select = select;
  }

  load(key: number): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#flush());
      this.#waiting.push({ key, resolve, reject });
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      const rows = await this.#select([...new Set(batch.map(({ key }) => key))]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { key, resolve } of batch) resolve(byId.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
