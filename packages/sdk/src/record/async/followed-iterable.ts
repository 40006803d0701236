import { types } from 'node:util';
import { isObjectOrFunction } from '../../internal/is-object.ts';
import type { LinkedStep } from '../links.ts';
import { reflectGet } from '../writer/primordials.ts';

const { apply } = Reflect;

/**
 * Name of the `ActiveStep` method that is called when the iterator has returned a value, so that the iterating step stops being the current
 * one.
 */
type Leave = 'pause' | 'suspend';

/**
 * Wraps the object over which a `yield*` or `for await` iterates, so that the iterating step is active while the object's iterator runs.
 * Returns undefined for primitive values and proxies.
 */
export function wrapIterable(step: LinkedStep, value: unknown, leave: Leave): object | undefined {
  return isObjectOrFunction(value) && !types.isProxy(value)
    ? new FollowedIterable(step, value, leave)
    : undefined;
}

/**
 * Forwards each property lookup to the host's object when the language makes the lookup: a program can replace or remove an iterator's
 * methods at any time, even on its prototype.
 */
class FollowedIterable {
  readonly #step: LinkedStep;
  readonly #inner: object;
  readonly #leave: Leave;

  constructor(step: LinkedStep, inner: object, leave: Leave) {
    this.#step = step;
    this.#inner = inner;
    this.#leave = leave;
  }

  get [Symbol.iterator](): unknown {
    return this.#begin(reflectGet(this.#inner, Symbol.iterator));
  }

  get [Symbol.asyncIterator](): unknown {
    return this.#begin(reflectGet(this.#inner, Symbol.asyncIterator));
  }

  #follow(iterator: object): object {
    try {
      return new FollowedIterator(this.#step, iterator, this.#leave);
    } catch {
      return iterator;
    }
  }

  #begin(method: unknown): unknown {
    if (typeof method !== 'function') return method;
    return () => {
      const iterator: unknown = apply(method, this.#inner, []);
      return isObjectOrFunction(iterator) ? this.#follow(iterator) : iterator;
    };
  }
}

class FollowedIterator {
  readonly #step: LinkedStep;
  readonly #inner: object;
  readonly #leave: Leave;

  constructor(step: LinkedStep, inner: object, leave: Leave) {
    this.#step = step;
    this.#inner = inner;
    this.#leave = leave;
  }

  get next(): unknown {
    return this.#follow(reflectGet(this.#inner, 'next'));
  }

  get return(): unknown {
    return this.#follow(reflectGet(this.#inner, 'return'));
  }

  get throw(): unknown {
    return this.#follow(reflectGet(this.#inner, 'throw'));
  }

  #follow(method: unknown): unknown {
    if (typeof method !== 'function') return method;
    return (...given: unknown[]): unknown => {
      this.#step.recover();
      try {
        return apply(method, this.#inner, given);
      } finally {
        this.#step[this.#leave]();
      }
    };
  }
}
