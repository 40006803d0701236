import { call, readProperty, replaceOnce } from '../internal/foreign.ts';
import { isObjectOrFunction } from '../internal/is-object.ts';
import { addLibraryPromises, type LibraryPromises } from '../record/async/library-promises.ts';
import { WatchedPromise, watching } from '../record/async/watched-promise.ts';

/** Bluebird's methods, each with the {@link WatchedPromise} method to call. A promise's callbacks run directly after `_receiverAt`. */
const EVENTS = [
  ['_setFulfilled', 'noteSettled'],
  ['_setRejected', 'noteSettled'],
  ['_setCancelled', 'noteSettled'],
  ['_setFollowee', 'follow'],
  ['_receiverAt', 'readSettled'],
] as const;

/**
 * Reports when Bluebird's promises settle. Adds no callback with `then`, because it would mark a rejection as handled. The replaced methods
 * call none of the host's functions, so they are in no stack that the host reads.
 */
export function watchSettlements(prototype: unknown): void {
  if (!isObjectOrFunction(prototype)) return;
  addLibraryPromises(prototype, bluebirdPromises);
  for (const [name, event] of EVENTS) {
    replaceOnce(prototype, name, (original) => {
      return function (argument) {
        const result = original.call(this, argument);
        if (watching.inLibraries) notify(this, event);
        return result;
      };
    });
  }
}

function notify(promise: unknown, event: (typeof EVENTS)[number][1]): void {
  try {
    if (isObjectOrFunction(promise)) WatchedPromise.find(promise)?.[event]();
  } catch {}
}

const VALUE = '_settledValue';

const bluebirdPromises: LibraryPromises = {
  findTarget(promise) {
    const target = call(promise, '_target');
    return isObjectOrFunction(target) ? target : promise;
  },
  readOutcome(promise) {
    const isFulfilled = call(promise, 'isFulfilled');
    if (!isFulfilled && !call(promise, 'isRejected'))
      return { state: call(promise, 'isCancelled') ? 'unknown' : 'pending' };
    // The value is a field in Bluebird 2, and a method's result in Bluebird 3. The public methods would mark a rejection as handled.
    const value = Object.hasOwn(promise, VALUE) ? readProperty(promise, VALUE) : call(promise, VALUE);
    return { state: isFulfilled ? 'fulfilled' : 'rejected', value };
  },
};
