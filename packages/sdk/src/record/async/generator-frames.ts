import { types } from 'node:util';
import { isObjectOrFunction } from '../../internal/is-object.ts';
import type { GeneratorKind } from '../errors/iteration-errors.ts';
import type { LinkedStep } from '../links.ts';
import { reflectGet } from '../writer/primordials.ts';

const { apply } = Reflect;

/**
 * Name of the `ActiveStep` method that is called when the generator yields or returns, so that the iterating step stops being the current
 * one.
 */
type Leave = 'pause' | 'suspend';

/**
 * Wraps a generator that is iterated by `yield*` or `for await`, so that the iterating step is active while the generator runs. Returns
 * undefined for other values: iterating them rarely runs host code.
 */
export function wrapGenerator(step: LinkedStep, value: unknown, leave: Leave): object | undefined {
  return types.isGeneratorObject(value) ? new FollowedIterable(step, value, leave) : undefined;
}

/** Wraps the operand of a `yield*`. In a compiled async generator, the operand is an iterator that the compiler's helper made. */
export function wrapDelegated(step: LinkedStep, value: unknown, kind: GeneratorKind): object | undefined {
  return kind === 'compiled' ? wrapHelperIterator(step, value) : wrapGenerator(step, value, 'pause');
}

/** Wraps an iterator that a compiler's helper made. The helper calls the wrapper's methods. */
function wrapHelperIterator(step: LinkedStep, value: unknown): object | undefined {
  return isObjectOrFunction(value) && !types.isProxy(value)
    ? new FollowedIterable(step, value, 'pause')
    : undefined;
}

/**
 * Forwards each property lookup to the host's object when the language makes the lookup: a program can replace or remove a generator's
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
