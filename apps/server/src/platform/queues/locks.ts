import { createHash } from 'node:crypto';

/** Locks that are held while something is stored. */
export interface Locks {
  /** Which ones, of 256: each once, in rising order. */
  readonly numbers: readonly number[];
  /** Rejects once they may be somebody else's. */
  check(): Promise<void>;
}

/**
 * The locks that names stand for, each once, always in the same order, so that two servers cannot wait for each other. There are 256 in all, since
 * PostgreSQL has room for some thousands; names that share one wait for each other without need.
 */
export function numberLocks(names: readonly string[]): number[] {
  const numbers = names.map((name) => createHash('sha256').update(name).digest().readUInt8(0));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Where no other server can be: nobody takes them away. */
export function locksWithoutOthers(names: readonly string[]): Locks {
  return { numbers: numberLocks(names), check: async () => {} };
}
