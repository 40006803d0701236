/**
 * A queue of items, each of which has an owner. The owners take turns: `take` removes one item of the next owner. The items of one owner
 * stay in order.
 */
export class FairQueue<Item> {
  /** Items by owner; the owner whose turn is next comes first. */
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

  /** Removes an item that its caller no longer waits for. */
  remove(owner: string, item: Item): void {
    const left = this.#byOwner.get(owner)?.filter((other) => other !== item);
    if (left === undefined) return;
    if (left.length > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
  }

  /**
   * Removes and returns the next item that `mayTake` accepts; undefined if there is none. Owners whose items are not accepted keep their
   * position.
   */
  take(mayTake: (item: Item, owner: string) => boolean = () => true): Item | undefined {
    for (const [owner, own] of this.#byOwner) {
      const [item] = own;
      if (item === undefined || !mayTake(item, owner)) continue;
      own.shift();
      this.#byOwner.delete(owner);
      // Moves the owner behind all other owners.
      if (own.length > 0) this.#byOwner.set(owner, own);
      return item;
    }
    return undefined;
  }
}
