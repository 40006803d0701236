import { createHash } from 'node:crypto';

/** Locks held while data is stored. */
export interface Locks {
  /** Lock numbers out of 256, without duplicates, in ascending order. */
  readonly numbers: readonly number[];
  /** Rejects if the locks may have been acquired by another server. */
  check(): Promise<void>;
}

/**
 * Maps names to lock numbers, without duplicates and always in the same order, so that two servers cannot
 * deadlock. There are only 256 locks, since PostgreSQL supports some thousands; names with the same number
 * wait for each other unnecessarily.
 */
export function numberLocks(names: readonly string[]): number[] {
  const numbers = names.map((name) => createHash('sha256').update(name).digest().readUInt8(0));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Locks for stores that no other server can use; they are never lost. */
export function locksWithoutOthers(names: readonly string[]): Locks {
  return { numbers: numberLocks(names), check: async () => {} };
}
