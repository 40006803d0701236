import { hash } from 'node:crypto';

/** The locks that a server holds while it stores data. */
export interface Locks {
  /** Numbers of the locks, out of 256 (0 to 255), without duplicates and in ascending order. */
  readonly numbers: readonly number[];
  /** Rejects if the locks may have been lost, so that another server could have acquired them. */
  check(): Promise<void>;
}

/**
 * Maps names to lock numbers, without duplicates and in ascending order, so that two servers cannot deadlock. There are only 256 numbers,
 * since PostgreSQL supports only some thousand locks. Names with the same number wait for each other unnecessarily.
 */
export function numberLocks(names: readonly string[]): number[] {
  const numbers = names.map((name) => Number.parseInt(hash('sha256', name).slice(0, 2), 16));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Returns locks for a store that no other server can use. They are never lost. */
export function createLocalLocks(names: readonly string[]): Locks {
  return { numbers: numberLocks(names), check: async () => {} };
}
