/** Returns the next number, from 0 up to but not including 1, of a repeatable sequence. */
export type Random = () => number;

/** Creates a generator (mulberry32): the same seed gives the same sequence. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns an integer from `low` to `high`, both inclusive. */
export function pickBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Returns a random item. Throws if the list is empty. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[pickBetween(random, 0, items.length - 1)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Returns the items in random order (Fisher–Yates) without changing the given array. */
export function shuffle<T>(random: Random, items: readonly T[]): T[] {
  const rest = [...items];
  const shuffled: T[] = [];
  while (rest.length > 0) shuffled.push(...rest.splice(pickBetween(random, 0, rest.length - 1), 1));
  return shuffled;
}
