import { inspect } from 'node:util';
import { readEscaped } from '../writer/escaped-text.ts';
import { sliceString } from '../writer/primordials.ts';

/** How a promise stands. Of a value that is a proxy another proxy stands here, and of a symbol another symbol with its description. */
export type Outcome =
  | { readonly state: 'pending' | 'unknown' }
  | { readonly state: 'fulfilled' | 'rejected'; readonly value: unknown };

const PENDING: Outcome = { state: 'pending' };
const aProxy = new Proxy({}, {});

/**
 * Reads how promises stand, without a reaction of ours. A reaction would mark a rejection as handled, and V8 follows a promise for an error's async stack only while
 * it has one reaction. No public function tells, but `util.inspect` asks V8. So promises are formatted here, in a way that stops at their values: the list of objects
 * being formatted is replaced by {@link Seen}, which claims that each value is in it already, so that nothing of the value is looked at.
 * An outcome is undefined where it cannot be read.
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

/** The value in progress. */
class Reading {
  outcomes: (Outcome | undefined)[] = [];
  #promises: readonly object[] = [];
  #at = -1;
  /** The nesting depth of the formatted object. */
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

  /** Forgets the promise that was being formatted: it was not done with. */
  cut(): void {
    this.#hasValue = false;
  }

  /** Node is about to format an object. Returns false for the promises, so that it goes on into them. */
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

  /** Notes the value of the promise being formatted. What comes after it are the promise's own properties. */
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

/** Stands for Node's list of the objects that it is formatting. */
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

/** All that a host may have changed the defaults of is said. */
const options = {
  customInspect: false,
  showHidden: false,
  showProxy: true,
  // A proxy as a value is one level too deep, so its target is not looked at.
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

/** Called for each piece of text. The first is that of the `null` in front, with Node's context as `this`. */
function stylize(this: { seen?: unknown } | undefined, text: string, style: string): string {
  if (this?.seen !== undefined && this.seen !== seen) this.seen = seen;
  else if (style !== 'special') reading.noteValue(primitiveFrom(text, style));
  else if (text === '<pending>') reading.notePending();
  else if (text === '<rejected>') reading.noteRejected();
  else if (text === 'Proxy [Array]') reading.noteValue(aProxy);
  return text;
}

const makeSymbol = Symbol;
const makeBigint = BigInt;

function primitiveFrom(text: string, style: string): unknown {
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
