import type { Redactor } from '@throughline/contract/redaction';
import { CAPTURED, type CapturedStep } from './captured-step.ts';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonBytes,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.ts';
import { NotReadable } from './json-number.ts';

/** A body whose captured values stay bytes. */
export interface BodyWithout {
  /** The body's JSON with `null` in their place. */
  readonly rest: string;
  /** What was captured of a step, by its places in the body. */
  readonly captured: CapturedBytes;
}

/**
 * Finds the captured values of all steps of a body, which are most of it, so that they need not be read into objects. Undefined where the body
 * is not made as expected, or the redactor's rules ask where a value stands: then all of it is to be read.
 */
export function findCaptured(bytes: Buffer, redactor: Redactor): BodyWithout | undefined {
  if (redactor.hasPaths || CAPTURED.some((name) => redactor.isSecretName(name))) return undefined;
  try {
    return new BodySearch(bytes, redactor).result();
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
}

/** Of each step three beginnings, three ends, and whether all can be stored as they stand. */
const NUMBERS_A_STEP = CAPTURED.length * 2 + 1;
const NONE = -1;

/** Where captured values stand in a body. */
export class CapturedBytes {
  readonly #bytes: Buffer;
  readonly #numbers: readonly number[];
  readonly #firstSteps: readonly number[];

  constructor(bytes: Buffer, numbers: readonly number[], firstSteps: readonly number[]) {
    this.#bytes = bytes;
    this.#numbers = numbers;
    this.#firstSteps = firstSteps;
  }

  /** By the places of a trace and of its step. */
  of(trace: number, step: number): CapturedStep {
    const at = (this.#firstSteps[trace] ?? 0) + step * NUMBERS_A_STEP;
    let members = '';
    let start = NONE;
    let end = NONE;
    for (const [index, name] of CAPTURED.entries()) {
      const nextStart = this.#numbers[at + index * 2] ?? NONE;
      if (nextStart === NONE) continue;
      const before = `${start === NONE ? '{' : ','}"${name}":`;
      // Between two members of this order and so near to each other nothing else that is JSON would fit: they are one piece of the body.
      if (start === NONE || nextStart - end !== before.length) {
        members += this.#textOf(start, end) + before;
        start = nextStart;
      }
      end = this.#numbers[at + index * 2 + 1] ?? NONE;
    }
    return {
      json: start === NONE ? '' : `${members}${this.#textOf(start, end)}}`,
      asItStands: this.#numbers[at + NUMBERS_A_STEP - 1] === 1,
    };
  }

  #textOf(start: number, end: number): string {
    return start === NONE ? '' : this.#bytes.toString('utf8', start, end);
  }
}

class BodySearch {
  readonly #bytes: Buffer;
  readonly #json: JsonBytes;
  readonly #numbers: number[] = [];
  readonly #pieces: string[] = [];
  #firstSteps: number[] = [];
  #pieceStart = 0;
  #stepStart = 0;

  constructor(bytes: Buffer, redactor: Redactor) {
    this.#bytes = bytes;
    this.#json = new JsonBytes(bytes, redactor);
  }

  result(): BodyWithout {
    this.#object(this.#body);
    this.#pieces.push(this.#bytes.toString('utf8', this.#pieceStart));
    return {
      rest: this.#pieces.join('null'),
      captured: new CapturedBytes(this.#bytes, this.#numbers, this.#firstSteps),
    };
  }

  readonly #body = (start: number, end: number): boolean => {
    if (!this.#is('traces', start, end) || this.#json.peek() !== OPEN_LIST) return false;
    this.#firstSteps = [];
    this.#list(() => {
      this.#firstSteps.push(0);
      return this.#trace;
    });
    return true;
  };

  readonly #trace = (start: number, end: number): boolean => {
    if (!this.#is('flow', start, end) || this.#json.peek() !== OPEN_LIST) return false;
    this.#firstSteps[this.#firstSteps.length - 1] = this.#numbers.length;
    this.#list(() => {
      this.#stepStart = this.#numbers.length;
      this.#numbers.push(NONE, NONE, NONE, NONE, NONE, NONE, 1);
      return this.#step;
    });
    return true;
  };

  readonly #step = (start: number, end: number): boolean => {
    const index = CAPTURED.findIndex((name) => this.#is(name, start, end));
    if (index < 0) return false;
    const first = this.#json.peek();
    // Variables that are no object are the contract's to refuse.
    if (CAPTURED[index] === 'variables' && first !== OPEN_OBJECT) return false;
    const valueStart = this.#json.at;
    const asItStands = this.#json.readValue();
    this.#numbers[this.#stepStart + index * 2] = valueStart;
    this.#numbers[this.#stepStart + index * 2 + 1] = this.#json.at;
    if (!asItStands) this.#numbers[this.#stepStart + NUMBERS_A_STEP - 1] = 0;
    this.#pieces.push(this.#bytes.toString('utf8', this.#pieceStart, valueStart));
    this.#pieceStart = this.#json.at;
    return true;
  };

  /** Whether a name stands there. */
  #is(name: string, start: number, end: number): boolean {
    if (name.length !== end - start) return false;
    for (let index = 0; index < name.length; index++) {
      if (name.charCodeAt(index) !== this.#bytes[start + index]) return false;
    }
    return true;
  }

  /** Goes past a list; what is an object in it is read as `each` says. */
  #list(each: () => Members): void {
    const json = this.#json;
    json.expect(OPEN_LIST);
    if (json.peek() === CLOSE_LIST) {
      json.expect(CLOSE_LIST);
      return;
    }
    for (;;) {
      const members = each();
      if (json.peek() === OPEN_OBJECT) this.#object(members);
      else json.passValue();
      const token = json.token();
      if (token === CLOSE_LIST) return;
      if (token !== COMMA) throw new NotReadable();
    }
  }

  /** Goes past an object; `members` reads the values it knows by their names. */
  #object(members: Members): void {
    const json = this.#json;
    json.expect(OPEN_OBJECT);
    let token = json.token();
    if (token === CLOSE_OBJECT) return;
    for (;;) {
      const start = json.at;
      // A name that is written with escapes might be any.
      if (token !== QUOTE || !json.passText()) throw new NotReadable();
      const end = json.at - 1;
      json.expect(COLON);
      if (!members(start, end)) json.passValue();
      token = json.token();
      if (token === CLOSE_OBJECT) return;
      if (token !== COMMA) throw new NotReadable();
      token = json.token();
    }
  }
}

/** Reads the value of a member whose name stands there; false where it leaves that to others. */
type Members = (start: number, end: number) => boolean;
