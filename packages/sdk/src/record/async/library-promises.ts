import { getPrototypeOf, isProxy } from '../writer/primordials.ts';
import type { Outcome } from './promise-outcome.ts';

/** The promises of a library, such as Bluebird, whose settlement the SDK's patch of the library reports. */
export interface LibraryPromises {
  /** Returns the promise that `promise` follows, or `promise` itself. */
  findTarget(promise: object): object;
  /** Reads the state of a promise that follows no other promise. Does not mark a rejection as handled. */
  readOutcome(promise: object): Outcome;
}

const libraries = new WeakMap<object, LibraryPromises>();
let hasLibraries = false;

/** Adds the promises of a library, or of one copy of it, by their prototype. */
export function addLibraryPromises(prototype: object, promises: LibraryPromises): void {
  libraries.set(prototype, promises);
  hasLibraries = true;
}

/** Returns undefined if the value is not a promise of a patched library. */
export function findLibraryPromises(value: object): LibraryPromises | undefined {
  if (!hasLibraries || isProxy(value)) return undefined;
  const prototype = getPrototypeOf(value);
  return prototype === null ? undefined : libraries.get(prototype);
}
