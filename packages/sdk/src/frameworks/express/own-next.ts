import type { Next } from '../layer-call.ts';
import type { RoutedRequest } from './layer-shape.ts';

/** A base class whose constructor returns the given value instead of a new object. */
const Itself = function itself(value: object): object {
  return value;
} as unknown as new (
  value: object,
) => object;

/** Marks a function with a private field, which the host cannot see. A WeakMap with an entry per call would slow the garbage collector. */
class Replacement extends Itself {
  #original: Next;

  constructor(next: Next, original: Next) {
    super(next);
    this.#original = original;
  }

  /** Returns the router's function behind a replacement; returns any other value unchanged. */
  static originalOf(next: unknown): unknown {
    return typeof next === 'function' && #original in next ? next.#original : next;
  }
}

/** Sets `req.next` to `own` if `req.next` is `original`, the router's function, or an earlier replacement of that function. */
export function replaceNext(req: RoutedRequest, original: Next, own: Next): void {
  try {
    new Replacement(own, original);
    if (Replacement.originalOf(req.next) === original) req.next = own;
  } catch {
    // The assignment can fail: the host can pass a request object of its own, for example with a read-only `next`.
  }
}
