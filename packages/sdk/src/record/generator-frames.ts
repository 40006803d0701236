import { types } from 'node:util';
import type { OpenStep } from './open-step.ts';

type AnyGenerator = Generator<unknown, unknown, unknown> | AsyncGenerator<unknown, unknown, unknown>;

/** The value, if it is a generator of the language's own, which has all three methods and no hidden behaviour. */
export function asGenerator(value: unknown): AnyGenerator | null {
  return isGenerator(value) ? value : null;
}

function isGenerator(value: unknown): value is AnyGenerator {
  return types.isGeneratorObject(value);
}

/** What `yield*` goes over in place of a generator: of the same kind, since a synchronous one is treated otherwise in an async generator. */
export function delegated(step: OpenStep, inner: AnyGenerator): object {
  const iterator = new DelegatedGenerator(step, inner);
  return Symbol.asyncIterator in inner
    ? { [Symbol.asyncIterator]: () => iterator }
    : { [Symbol.iterator]: () => iterator };
}

/** A generator under `yield*` of another: while it runs, the other's step is the current one. */
class DelegatedGenerator {
  private readonly step: OpenStep;
  private readonly inner: AnyGenerator;

  constructor(step: OpenStep, inner: AnyGenerator) {
    this.step = step;
    this.inner = inner;
  }

  next(value: unknown): unknown {
    this.step.recover();
    try {
      return this.inner.next(value);
    } finally {
      this.step.pause();
    }
  }

  return(value: unknown): unknown {
    this.step.recover();
    try {
      return this.inner.return(value);
    } finally {
      this.step.pause();
    }
  }

  throw(error: unknown): unknown {
    this.step.recover();
    try {
      return this.inner.throw(error);
    } finally {
      this.step.pause();
    }
  }
}

/** An async generator under `for await`: it is asked for a value with the loop's step current, and waited for without. */
export class AwaitedGenerator {
  private readonly step: OpenStep;
  private readonly inner: AnyGenerator;

  constructor(step: OpenStep, inner: AnyGenerator) {
    this.step = step;
    this.inner = inner;
  }

  next(): unknown {
    this.step.recover();
    try {
      return this.inner.next();
    } finally {
      this.step.suspend();
    }
  }

  return(): unknown {
    return this.inner.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
