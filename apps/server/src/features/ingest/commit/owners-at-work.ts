/** Tracks the owners whose entries are being written. */
export class OwnersAtWork {
  readonly #names = new Set<string>();
  #ended = Promise.withResolvers<void>();

  has(owner: string): boolean {
    return this.#names.has(owner);
  }

  /** Runs work that writes entries of these owners. */
  async during(owners: readonly string[], work: () => Promise<void>): Promise<void> {
    for (const owner of owners) this.#names.add(owner);
    try {
      await work();
    } finally {
      for (const owner of owners) this.#names.delete(owner);
      this.#ended.resolve();
      this.#ended = Promise.withResolvers();
    }
  }

  /** Resolves when a write of any owner ends. */
  nextEnd(): Promise<void> {
    return this.#ended.promise;
  }
}
