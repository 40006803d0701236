import { seeded } from '../lib/trace-generator.ts';

export type Random = () => number;

/** Returns a random sequence for the given purpose. Sequences are independent, so a planted problem does not change the other traffic. */
export function forkRandom(seed: number, purpose: string): Random {
  let mixed = seed >>> 0;
  for (const letter of purpose) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return seeded(mixed);
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('an empty list has no items');
  return item;
}

export function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}

/** Picks an item with a probability proportional to its weight. */
export function pickWeighted<T extends { readonly weight: number }>(random: Random, items: readonly T[]): T {
  let left = random() * items.reduce((sum, { weight }) => sum + weight, 0);
  for (const item of items) {
    left -= item.weight;
    if (left < 0) return item;
  }
  return pick(random, items);
}

/** Draws from a log-normal distribution with median 1, which has the spread of typical durations. */
export function drawLogNormal(random: Random, sigma: number): number {
  return Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
}

/** Draws a count from a Poisson distribution with the given mean. */
export function drawPoisson(random: Random, mean: number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean)));
  }
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count += 1;
  return count;
}
