import { inspect } from 'node:util';
import { readEscaped } from '../writer/escaped-text.ts';
import { sliceString } from '../writer/primordials.ts';

/**
 * State of a promise. If the promise's value is a proxy, an empty proxy replaces the value. If the value is a symbol, another symbol with
 * the same description replaces it.
 */
export type Outcome =
  | { readonly state: 'pending' | 'unknown' }
  | { readonly state: 'fulfilled' | 'rejected'; readonly value: unknown };

const PENDING: Outcome = { state: 'pending' };
const aProxy = new Proxy({}, {});

/**
 * Reads the state of promises without adding a callback. A callback would mark a rejection as handled, and V8 follows a promise for an
 * error's async stack only if the promise has a single callback. Only `util.inspect` can read the state from V8. To prevent `inspect` from
 * reading the promises' values, {@link Seen} replaces the list of objects that `inspect` is formatting, and claims to contain each value.
 * An outcome is undefined if it could not be read.
 */
export function readOutcomes(promises: readonly object[]): (Outcome | undefined)[] {
  const list: (object | null)[] = [null];
  for (let index = 0; index < promises.length; index++) list[index + 1] = promises[index] ?? null;
  reading.begin(promises);
  try {
    inspect(list, options);
    return reading.end();
  } catch {
    reading.cut();
    return reading.end();
  }
}

/** Progress of reading one list of promises. */
class Reading {
  outcomes: (Outcome | undefined)[] = [];
  #promises: readonly object[] = [];
  #at = -1;
  /** Nesting depth of the object that is being formatted. */
  #depth = 0;
  #isRejected = false;
  #hasValue = false;
  #value: unknown = undefined;

  begin(promises: readonly object[]): void {
    this.#promises = promises;
    this.#at = -1;
    this.#depth = 0;
    this.outcomes = [];
  }

  enter(): void {
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }

  end(): (Outcome | undefined)[] {
    this.#finishOne();
    this.#promises = [];
    return this.outcomes;
  }

  /** Discards the value of the current promise, whose formatting an error interrupted. */
  cut(): void {
    this.#hasValue = false;
  }

  /**
   * Called before Node formats an object. Returns false for the promises to read, so that Node formats their content, and true for all
   * other objects.
   */
  knows(object: unknown): boolean {
    if (this.#depth === 0 && object === this.#promises[this.#at + 1]) {
      this.#finishOne();
      this.#at++;
      return false;
    }
    this.noteValue(object);
    return true;
  }

  notePending(): void {
    this.outcomes[this.#at] ??= PENDING;
  }

  noteRejected(): void {
    this.#isRejected = true;
  }

  /**
   * Stores the value of the promise that is being formatted. Node formats this value first; later values are properties of the promise
   * itself.
   */
  noteValue(value: unknown): void {
    if (this.#depth === 0 || this.#hasValue || this.outcomes[this.#at] !== undefined) return;
    this.#hasValue = true;
    this.#value = value;
  }

  #finishOne(): void {
    if (this.#hasValue)
      this.outcomes[this.#at] = { state: this.#isRejected ? 'rejected' : 'fulfilled', value: this.#value };
    this.#hasValue = this.#isRejected = false;
    this.#value = undefined;
  }
}

const reading = new Reading();

/** Replaces Node's list of the objects that it is formatting. */
class Seen {
  includes(object: unknown): boolean {
    return reading.knows(object);
  }
  indexOf(): number {
    return -1;
  }
  push(): void {
    reading.enter();
  }
  pop(): void {
    reading.leave();
  }
}
const seen = new Seen();

/** Sets every option of `inspect` whose default the host can change. */
const options = {
  customInspect: false,
  showHidden: false,
  showProxy: true,
  // A proxy that is the value of a promise is one level deeper than this, so Node does not read the proxy's target.
  depth: 1,
  compact: true,
  breakLength: Infinity,
  colors: false,
  maxStringLength: Infinity,
  maxArrayLength: Infinity,
  getters: false,
  sorted: false,
  numericSeparator: false,
  stylize,
} as const;

/**
 * Node calls this for each formatted text, with its formatting context as `this`. The first text is the `null` that begins the list. At
 * this call, the context's list of objects, `seen`, is replaced.
 */
function stylize(this: { seen?: unknown } | undefined, text: string, style: string): string {
  if (this?.seen !== undefined && this.seen !== seen) this.seen = seen;
  else if (style !== 'special') reading.noteValue(parsePrimitive(text, style));
  else if (text === '<pending>') reading.notePending();
  else if (text === '<rejected>') reading.noteRejected();
  else if (text === 'Proxy [Array]') reading.noteValue(aProxy);
  return text;
}

const makeSymbol = Symbol;
const makeBigint = BigInt;

function parsePrimitive(text: string, style: string): unknown {
  switch (style) {
    case 'number':
      return +text;
    case 'bigint':
      return makeBigint(sliceString(text, 0, -1));
    case 'boolean':
      return text === 'true';
    case 'string':
      return readEscaped(text);
    case 'symbol':
      return makeSymbol(sliceString(text, 'Symbol('.length, -1));
    case 'null':
      return null;
    default:
      return undefined;
  }
}
