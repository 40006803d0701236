import type { Next } from '../layer-call.ts';
import type { RoutedRequest } from './layer-shape.ts';

/** As a base class: what is constructed is the value itself. */
const Itself = function itself(value: object): object {
  return value;
} as unknown as new (
  value: object,
) => object;

/** Leaves a mark on a function, which the host cannot see. A WeakMap with an entry for each call would cost its garbage collector. */
class Replacement extends Itself {
  #original: Next;

  constructor(next: Next, original: Next) {
    super(next);
    this.#original = original;
  }

  /** The router's function behind a replacement; any other is its own. */
  static originalOf(next: unknown): unknown {
    return typeof next === 'function' && #original in next ? next.#original : next;
  }
}

/** Where the router's function is the request's `next`, its replacement becomes that. */
export function replaceNext(req: RoutedRequest, original: Next, own: Next): void {
  try {
    new Replacement(own, original);
    if (Replacement.originalOf(req.next) === original) req.next = own;
  } catch {
    // A request of the host's own making.
  }
}
