/** A problem of the disk that prevents a store from writing, and that the operator can fix. */
export type DiskTrouble = 'full' | 'read-only';

/**
 * Texts by which Node, PostgreSQL and ClickHouse report each problem: a code, the operating system's message, or a message of their own.
 */
const SAYS: readonly (readonly [DiskTrouble, RegExp])[] = [
  ['full', /\b(ENOSPC|NOT_ENOUGH_SPACE)\b|\berrno: 28\b|No space left on device|the disk may be full/],
  ['read-only', /\bEROFS\b|\berrno: 30\b|Read-only file system/],
];
const DEEPEST = 5;

/** Returns the disk problem that caused an error, directly or through the error's causes. Returns undefined for other errors. */
export function findDiskTrouble(error: unknown): DiskTrouble | undefined {
  let current = error;
  for (let depth = 0; depth < DEEPEST && current instanceof Error; depth += 1) {
    const said = 'code' in current ? `${String(current.code)} ${current.message}` : current.message;
    const found = SAYS.find(([, words]) => words.test(said));
    if (found !== undefined) return found[0];
    current = current.cause;
  }
  return undefined;
}
