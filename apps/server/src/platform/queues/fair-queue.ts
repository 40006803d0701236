/** A queue that serves owners in turns: one item of each owner, in order of arrival. An owner's own items keep their order. */
export class FairQueue<Item> {
  /** The owner whose turn it is stands first. */
  readonly #byOwner = new Map<string, Item[]>();

  /** Number of owners with waiting items. */
  get owners(): number {
    return this.#byOwner.size;
  }

  add(owner: string, item: Item): void {
    const own = this.#byOwner.get(owner);
    if (own === undefined) this.#byOwner.set(owner, [item]);
    else own.push(item);
  }

  /** Takes out one thing that does not wait any longer. */
  remove(owner: string, item: Item): void {
    const left = this.#byOwner.get(owner)?.filter((other) => other !== item);
    if (left === undefined) return;
    if (left.length > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
  }

  /** Takes the next thing that may be taken; undefined where there is none. Who is passed over keeps his place. */
  take(mayTake: (item: Item, owner: string) => boolean = () => true): Item | undefined {
    for (const [owner, own] of this.#byOwner) {
      const [item] = own;
      if (item === undefined || !mayTake(item, owner)) continue;
      own.shift();
      this.#byOwner.delete(owner);
      // Behind all others.
      if (own.length > 0) this.#byOwner.set(owner, own);
      return item;
    }
    return undefined;
  }
}
