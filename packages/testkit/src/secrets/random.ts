/** A seeded random generator. The same seed gives the same choices on every machine. It must not be used for real secrets. */
export interface Random {
  /** Returns an integer from 0 up to but not including `limit`. */
  int(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns true with this probability. */
  chance(share: number): boolean;
  /** Returns random characters of an alphabet. */
  chars(alphabet: string, length: number): string;
}

export const DIGITS = '0123456789';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
export const ALNUM = DIGITS + LOWER + UPPER;
export const HEX = '0123456789abcdef';
export const BASE64URL = `${ALNUM}-_`;

/** Number of rounds until each bit of the seed affects each bit of the state. */
const WARM_UP_ROUNDS = 15;

/**
 * Creates an sfc32 generator from a seed and an item's number. Different `stream`s give different choices for the same seed, so that two
 * collections of items differ.
 */
export function createRandom(seed: number, item = 0, stream = 0): Random {
  let [first, second, third, counter] = [seed | 0, item | 0, stream | 0, 1];
  const next = (): number => {
    const mixed = (((first + second) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    first = second ^ (second >>> 9);
    second = (third + (third << 3)) | 0;
    third = (((third << 21) | (third >>> 11)) + mixed) | 0;
    return (mixed >>> 0) / 4_294_967_296;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) next();
  const int = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[int(list.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  };
  return {
    int,
    pick,
    chance: (share) => next() < share,
    chars: (alphabet, length) => Array.from({ length }, () => alphabet[int(alphabet.length)]).join(''),
  };
}

/** Returns the items of a list one after another if `turn` grows by one with each call, so that all items are chosen equally often. */
export function takeTurn<T>(list: readonly T[], turn: number): T {
  const taken = list[turn % list.length];
  if (taken === undefined) throw new Error('there is nothing to take');
  return taken;
}

/** Formats random hexadecimal digits as a version 4 UUID. */
export function uuid(random: Random): string {
  const hex = (length: number) => random.chars(HEX, length);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`;
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
