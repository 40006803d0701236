import {
  characterSigns,
  DIGIT_SIGN,
  isCardNumber,
  mayHoldSecret,
  type Redactor,
} from '@throughline/contract/redaction';
import { beginsNumber, endOfNumber, hasExponent, isDigit, NotReadable } from './json-number.ts';
import { FORM_NAME, KnownNames, PLAIN_NAME, SECRET_NAME } from './known-names.ts';
import { KnownValues } from './known-values.ts';

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** What a byte means in a text, beside the signs of secrets: these bits are above those. */
const ESCAPE = 32;
const END = 64;
const REFUSED = 128;
const SIGNS = Uint8Array.from({ length: 256 }, (_sign, byte) => {
  if (byte < 0x20) return REFUSED;
  if (byte === QUOTE) return END;
  return byte === BACKSLASH ? ESCAPE : (characterSigns[byte] ?? 0);
});

/** Values nested deeper are read in the other way, which does not use the stack. */
const MAX_DEPTH = 100;
/** No shorter number is a card's, unless it has an exponent. */
const SHORTEST_CARD = 13;

/** Forms whose parts are looked into like any object's. Of the others the redactor knows more than names and texts tell. */
const PLAIN_FORMS = new Set([
  'undefined',
  'number',
  'bigint',
  'symbol',
  'function',
  'Date',
  'RegExp',
  'Set',
  'object',
  'Error',
  'reference',
  'array',
  'hole',
  'accessor',
  'proxy',
  'cut',
  'redacted',
]);
const HIDDEN = Buffer.from('{"$type":"redacted","of":"');

/**
 * Reads JSON from bytes that are UTF-8 without making anything of it: where values begin and end, and whether they can be stored as they
 * stand, because they are written without blanks and the redactor would leave them as they are.
 */
export class JsonBytes {
  at = 0;
  readonly #bytes: Buffer;
  readonly #redactor: Redactor;
  readonly #names: KnownNames;
  readonly #values: KnownValues;
  #asItStands = true;

  constructor(bytes: Buffer, redactor: Redactor) {
    this.#bytes = bytes;
    this.#redactor = redactor;
    this.#names = KnownNames.of(redactor);
    this.#values = new KnownValues(bytes);
  }

  /** The next byte that is no blank, past which it goes; 0 at the end. */
  token(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++] ?? 0;
    while (byte === 0x20 || (byte <= 0x0d && byte >= 0x09)) {
      if (byte === 0x0b || byte === 0x0c) throw new NotReadable();
      this.#asItStands = false;
      byte = bytes[this.at++] ?? 0;
    }
    return byte;
  }

  expect(token: number): void {
    if (this.token() !== token) throw new NotReadable();
  }

  /** The next byte that is no blank, to which it goes. */
  peek(): number {
    const byte = this.token();
    this.at--;
    return byte;
  }

  /** Goes past a text of which nothing is known but that it ends; to be called behind its opening quote. Gives whether it has no escapes. */
  passText(): boolean {
    const bytes = this.#bytes;
    let at = this.at;
    let plain = true;
    for (;;) {
      const byte = bytes[at++];
      if (byte === QUOTE) break;
      if (byte === undefined) throw new NotReadable();
      if (byte === BACKSLASH) {
        plain = false;
        at++;
      }
    }
    this.at = at;
    return plain;
  }

  /** Goes past a value of which nothing is known but where it ends: whether it is JSON is left to whoever reads it. */
  passValue(): void {
    const bytes = this.#bytes;
    let depth = 0;
    do {
      const byte = bytes[this.at++];
      if (byte === undefined) throw new NotReadable();
      if (byte === QUOTE) this.passText();
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
    } while (depth > 0 || !this.#atEndOfValue());
    if (depth < 0) throw new NotReadable();
  }

  #atEndOfValue(): boolean {
    const next = this.#bytes[this.at];
    return next === undefined || next === COMMA || next === CLOSE_OBJECT || next === CLOSE_LIST;
  }

  /** Goes past one value, which must be JSON; gives whether it can be stored as it stands. */
  readValue(): boolean {
    this.#asItStands = true;
    this.#value(this.token(), 0);
    return this.#asItStands;
  }

  #value(first: number, depth: number): void {
    if (first === QUOTE) this.#text();
    else if (first === OPEN_OBJECT || first === OPEN_LIST) this.#parts(first, depth + 1);
    else if (beginsNumber(first)) this.#number();
    else this.#word(first);
  }

  /** What is in an object or a list, unless it is known from where it stood before. */
  #parts(first: number, depth: number): void {
    const start = this.at - 1;
    const place = this.#values.placeOf(start);
    const known = this.#values.find(place, start);
    if (known !== 0) {
      this.at = Math.abs(known);
      if (known < 0) this.#asItStands = false;
      return;
    }
    const before = this.#asItStands;
    this.#asItStands = true;
    if (first === OPEN_OBJECT) this.#object(depth);
    else this.#list(depth);
    this.#values.add(place, start, this.at, this.#asItStands);
    this.#asItStands &&= before;
  }

  #object(depth: number): void {
    if (depth > MAX_DEPTH) throw new NotReadable();
    let token = this.token();
    if (token === CLOSE_OBJECT) return;
    for (;;) {
      if (token !== QUOTE) throw new NotReadable();
      const kind = this.#name();
      this.expect(COLON);
      const first = this.token();
      if (kind === FORM_NAME) this.#form(first, depth);
      else {
        // What has no value, and what the sender hid already, may stand under any name.
        if (kind === SECRET_NAME && !isWordStart(first) && !this.#isHidden()) this.#asItStands = false;
        else if (kind !== PLAIN_NAME && kind !== SECRET_NAME) this.#asItStands = false;
        this.#value(first, depth);
      }
      token = this.token();
      if (token === CLOSE_OBJECT) return;
      if (token !== COMMA) throw new NotReadable();
      token = this.token();
    }
  }

  #list(depth: number): void {
    if (depth > MAX_DEPTH) throw new NotReadable();
    let token = this.token();
    if (token === CLOSE_LIST) return;
    for (;;) {
      this.#value(token, depth);
      token = this.token();
      if (token === CLOSE_LIST) return;
      if (token !== COMMA) throw new NotReadable();
      token = this.token();
    }
  }

  /** A member's name, behind its opening quote: what the names that are known say of it. */
  #name(): number {
    const bytes = this.#bytes;
    const start = this.at;
    let at = start;
    let hash = 0;
    let escaped = false;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      if (byte === QUOTE) break;
      if (byte < 0x20) throw new NotReadable();
      if (byte === BACKSLASH) {
        at = this.#escape(at);
        escaped = true;
      }
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    this.at = at;
    return escaped
      ? this.#names.kindOf(this.#textAt(start, at - 1))
      : this.#names.find(bytes, start, at - 1, hash);
  }

  /** The value of `$type`. */
  #form(first: number, depth: number): void {
    const start = this.at;
    this.#value(first, depth);
    if (first === QUOTE && !PLAIN_FORMS.has(this.#bytes.toString('latin1', start, this.at - 1)))
      this.#asItStands = false;
  }

  #text(): void {
    const bytes = this.#bytes;
    const start = this.at;
    let at = start;
    let signs = 0;
    let digits = 0;
    let written = false;
    for (;;) {
      const sign = SIGNS[bytes[at++] ?? 0] ?? 0;
      if (sign === 0) continue;
      if (sign === DIGIT_SIGN) digits++;
      else if (sign === END) break;
      else if (sign === REFUSED) throw new NotReadable();
      else if (sign === ESCAPE) {
        // A character that is written as its number may be any.
        if (bytes[at] === 0x75) written = true;
        at = this.#escape(at);
      }
      signs |= sign;
    }
    this.at = at;
    if (this.#asItStands && (written || mayHoldSecret(signs, digits, false))) {
      const text = this.#textAt(start, at - 1);
      this.#asItStands = this.#redactor.text(text) === text;
    }
  }

  /** The text between two quotes. */
  #textAt(start: number, end: number): string {
    const text: unknown = JSON.parse(this.#bytes.toString('utf8', start - 1, end + 1));
    if (typeof text !== 'string') throw new NotReadable();
    return text;
  }

  /** Where an escaped character ends whose backslash stands before `at`. */
  #escape(at: number): number {
    const bytes = this.#bytes;
    const byte = bytes[at];
    if (byte === 0x75) {
      for (let digit = at + 1; digit <= at + 4; digit++)
        if (!isHexDigit(bytes[digit] ?? 0)) throw new NotReadable();
      return at + 5;
    }
    if (byte === undefined || !ESCAPABLE.has(byte)) throw new NotReadable();
    return at + 1;
  }

  #number(): void {
    const bytes = this.#bytes;
    const start = this.at - 1;
    this.at = endOfNumber(bytes, start);
    if (this.at - start < SHORTEST_CARD && !hasExponent(bytes, start, this.at)) return;
    const number = bytes.toString('latin1', start, this.at);
    if (isCardNumber(number) || isCardNumber(String(Number(number)))) this.#asItStands = false;
  }

  /** `true`, `false` or `null`. */
  #word(first: number): void {
    const word = WORDS.get(first);
    if (word === undefined) throw new NotReadable();
    for (const byte of word) if (this.#bytes[this.at++] !== byte) throw new NotReadable();
  }

  /** Whether a value that was begun is exactly what a hidden one is replaced with. */
  #isHidden(): boolean {
    const bytes = this.#bytes;
    let at = this.at - 1;
    for (const byte of HIDDEN) if (bytes[at++] !== byte) return false;
    while (isLetter(bytes[at] ?? 0)) at++;
    return bytes[at] === QUOTE && bytes[at + 1] === CLOSE_OBJECT;
  }
}

const ESCAPABLE = new Set(Buffer.from('"\\/bfnrt'));
const WORDS: ReadonlyMap<number, Buffer> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word.slice(1))]),
);

function isWordStart(byte: number): boolean {
  return WORDS.has(byte);
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
