import { INGEST_LIMITS } from '@throughline/contract';
import {
  DIGIT_SIGN,
  isCardNumber,
  mayBeginName,
  mayBeginSecret,
  mayBeName,
  mayHoldSecret,
  mayLabel,
  mayNameItem,
  type Redactor,
} from '@throughline/contract/redaction';
import { JsonTooLarge } from '../../../platform/json-bounds/json-bounds.ts';
import {
  BACKSLASH,
  BYTE_ORDER_MARK,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  DASH,
  END,
  ESCAPE,
  isHexDigit,
  isLetter,
  mayBeLoginCommand,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  SIGNS,
} from './json-characters.ts';
import { beginsNumber, endOfNumber, hasExponent, isShortCount, NotReadable } from './json-number.ts';
import {
  FORM_NAME,
  HIDDEN_NAME,
  KnownNames,
  LABEL_NAME,
  NAMING_NAME,
  SECRET_NAME,
  SPECIAL_NAME,
  TEXTS_NAME,
} from './known-names.ts';
import { KnownValues } from './known-values.ts';
import { PLAIN_FORMS } from './plain-forms.ts';

const MAX_DEPTH = INGEST_LIMITS.depth.max;
const MAX_KEYS = INGEST_LIMITS.keys.max;
const { nameBytes: NAME, digits: DIGITS } = INGEST_LIMITS;
/** Minimum length of a number that can be a card number. Numbers with an exponent are checked whatever their length is. */
const MIN_CARD_LENGTH = 13;

const HIDDEN = Buffer.from('{"$type":"redacted","of":"');

/**
 * Scans JSON in UTF-8 bytes without building values. Finds where values start and end, and whether they can be stored unchanged: a value
 * can be stored unchanged if it has no whitespace between its tokens and the redactor would not change it.
 */
export class JsonBytes {
  at = 0;
  readonly #bytes: Buffer;
  readonly #redactor: Redactor;
  readonly #names: KnownNames;
  readonly #values: KnownValues;
  #asItStands = true;
  /** Start and end of the last string that was read; `#signs` combines the classes of the string's characters, as in `SIGNS`. */
  #textStart = 0;
  #textEnd = 0;
  #signs = 0;

  constructor(bytes: Buffer, redactor: Redactor) {
    this.#bytes = bytes;
    this.#redactor = redactor;
    this.#names = KnownNames.of(redactor);
    this.#values = new KnownValues(bytes);
  }

  /** Returns the next byte that is not whitespace and moves past it; 0 at the end. */
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

  /** Moves to the next byte that is not whitespace and returns it. */
  peek(): number {
    const byte = this.token();
    this.at--;
    return byte;
  }

  /**
   * Moves past a string without checking its contents. Call this method after the opening quote. Returns true if the string has no escapes.
   */
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

  /** Moves past {@link BYTE_ORDER_MARK}. */
  skipByteOrderMark(): void {
    if (this.#bytes.length >= 3 && this.#bytes.readUIntBE(0, 3) === BYTE_ORDER_MARK) this.at = 3;
  }

  /** @throws NotReadable if anything but whitespace follows */
  expectEnd(): void {
    this.token();
    if (this.at <= this.#bytes.length) throw new NotReadable();
  }

  /**
   * Moves past a value at nesting level `depth`. Only finds the value's end; the JSON parser checks the value later.
   * @throws NotReadable if the value has no end, JsonTooLarge
   */
  passValue(depth: number): void {
    const bytes = this.#bytes;
    let level = depth;
    do {
      const byte = bytes[this.at++];
      if (byte === undefined) throw new NotReadable();
      if (byte === QUOTE) this.passText();
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++level > MAX_DEPTH) throw new JsonTooLarge('depth', MAX_DEPTH);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) level--;
    } while (level > depth || !this.#atEndOfValue());
    if (level < depth) throw new NotReadable();
  }

  #atEndOfValue(): boolean {
    const next = this.#bytes[this.at];
    return next === undefined || next === COMMA || next === CLOSE_OBJECT || next === CLOSE_LIST;
  }

  /**
   * Moves past one value at nesting level `depth` and checks that it is JSON. Returns true if the value can be stored unchanged.
   * @throws NotReadable, JsonTooLarge
   */
  readValue(depth: number): boolean {
    this.#asItStands = true;
    this.#value(this.token(), depth);
    return this.#asItStands;
  }

  #value(first: number, depth: number): void {
    if (first === QUOTE) this.#text();
    else if (first === OPEN_OBJECT || first === OPEN_LIST) this.#parts(first, depth + 1);
    else if (beginsNumber(first)) this.#number();
    else this.#word(first);
  }

  /** Reads the contents of an object or list, unless an equal value was read before. */
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
    if (depth > MAX_DEPTH) throw new JsonTooLarge('depth', MAX_DEPTH);
    let token = this.token();
    if (token === CLOSE_OBJECT) return;
    for (let keys = 1; ; keys++) {
      if (keys > MAX_KEYS) throw new JsonTooLarge('keys', MAX_KEYS);
      if (token !== QUOTE) throw new NotReadable();
      const kind = this.#name();
      this.expect(COLON);
      const first = this.token();
      if (kind === FORM_NAME) this.#form(first, depth);
      else {
        // `true`, `false`, `null` and values that the sender already redacted need no redaction, even under the name of a secret.
        if (kind === HIDDEN_NAME || (isHiding(kind, first) && !isWordStart(first) && !this.#isHidden()))
          this.#asItStands = false;
        const start = this.at - 1;
        this.#value(first, depth);
        if (kind === TEXTS_NAME && !isShortCount(this.#bytes, start, this.at)) this.#asItStands = false;
        if (first === QUOTE && kind === NAMING_NAME) this.#judgeNaming();
        else if (first === QUOTE && kind === LABEL_NAME) this.#judgeLabel();
      }
      token = this.token();
      if (token === CLOSE_OBJECT) return;
      if (token !== COMMA) throw new NotReadable();
      token = this.token();
    }
  }

  #list(depth: number): void {
    if (depth > MAX_DEPTH) throw new JsonTooLarge('depth', MAX_DEPTH);
    let token = this.token();
    if (token === CLOSE_LIST) return;
    for (;;) {
      this.#value(token, depth);
      if (token === QUOTE) this.#judgeItem();
      token = this.token();
      if (token === CLOSE_LIST) return;
      if (token !== COMMA) throw new NotReadable();
      token = this.token();
    }
  }

  /** Checks if the last string names a secret sibling value, as in `{ name: 'token', value: '...' }`. */
  #judgeNaming(): void {
    const length = this.#textEnd - this.#textStart;
    if (!this.#asItStands || !mayBeName(this.#signs, length)) return;
    if (this.#redactor.namesSecret(this.textAt(this.#textStart, this.#textEnd))) this.#asItStands = false;
  }

  /**
   * Like {@link #judgeNaming}, for a label. Labels such as ids and titles are frequent, so quick checks come before a string is decoded.
   */
  #judgeLabel(): void {
    const start = this.#textStart;
    const end = this.#textEnd;
    if (!this.#asItStands || !mayLabel(end - start)) return;
    if (!mayBeginName(this.#signs, this.#bytes, start, end)) return;
    if (this.#redactor.labelsSecret(this.textAt(start, end))) this.#asItStands = false;
  }

  /** Like {@link #judgeNaming}, but for a list item, which can also be a command-line argument or a key of Redis. */
  #judgeItem(): void {
    const length = this.#textEnd - this.#textStart;
    if (this.#bytes[this.#textStart] === DASH) this.#asItStands = false;
    else if (this.#asItStands && mayNameItem(this.#signs, length))
      this.#asItStands = !this.#redactor.namesItem(this.textAt(this.#textStart, this.#textEnd));
  }

  /** Reads a member's name, after its opening quote. Returns the name's kind. */
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
    if (at - 1 - start > NAME.max) throw new JsonTooLarge('nameBytes', NAME.max);
    return escaped
      ? this.#names.kindOf(this.textAt(start, at - 1))
      : this.#names.find(bytes, start, at - 1, hash);
  }

  /** Reads the value of `$type`. */
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
      if (sign < 0) {
        if (sign === END) break;
        throw new NotReadable();
      }
      signs |= sign;
      if (sign === DIGIT_SIGN) digits++;
      else if (sign === ESCAPE) {
        // The bytes of a Unicode escape do not show which character the escape represents, so it is unknown whether the string contains
        // hints of a secret.
        if (bytes[at] === 0x75) written = true;
        at = this.#escape(at);
      }
    }
    this.at = at;
    this.#textStart = start;
    this.#textEnd = at - 1;
    this.#signs = written ? 0 : signs;
    if (this.#asItStands && (written || this.#mayHoldSecret(signs, digits))) {
      const text = this.textAt(start, at - 1);
      this.#asItStands = this.#redactor.text(text) === text && !this.#redactor.hasSecretParameters(text);
    }
  }

  #mayHoldSecret(signs: number, digits: number): boolean {
    const start = this.#textStart;
    const end = this.#textEnd;
    return (
      (mayHoldSecret(signs, digits, false, end - start) &&
        mayBeginSecret(signs, digits, this.#bytes, start, end)) ||
      mayBeLoginCommand(this.#bytes, start, end)
    );
  }

  /** Returns the string between two quotes. */
  textAt(start: number, end: number): string {
    try {
      const text: unknown = JSON.parse(this.#bytes.toString('utf8', start - 1, end + 1));
      if (typeof text === 'string') return text;
    } catch {
      // Invalid JSON: the statement after this block throws NotReadable.
    }
    throw new NotReadable();
  }

  /** Returns the end of the escape sequence whose backslash is just before `at`. */
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
    if (this.at - start > DIGITS.max) throw new JsonTooLarge('digits', DIGITS.max);
    if (this.at - start < MIN_CARD_LENGTH && !hasExponent(bytes, start, this.at)) return;
    const number = bytes.toString('latin1', start, this.at);
    if (isCardNumber(number) || isCardNumber(String(Number(number)))) this.#asItStands = false;
  }

  /** Reads `true`, `false` or `null`. */
  #word(first: number): void {
    const word = WORDS.get(first);
    if (word === undefined) throw new NotReadable();
    for (const byte of word) if (this.#bytes[this.at++] !== byte) throw new NotReadable();
  }

  /** Returns true if the current value is exactly the replacement of a redacted value. */
  #isHidden(): boolean {
    const bytes = this.#bytes;
    let at = this.at - 1;
    for (const byte of HIDDEN) if (bytes[at++] !== byte) return false;
    while (isLetter(bytes[at] ?? 0)) at++;
    return bytes[at] === QUOTE && bytes[at + 1] === CLOSE_OBJECT;
  }
}

function isHiding(kind: number, first: number): boolean {
  return kind === SECRET_NAME || kind === SPECIAL_NAME || (kind === TEXTS_NAME && !beginsNumber(first));
}

const ESCAPABLE = new Set(Buffer.from('"\\/bfnrt'));
const WORDS: ReadonlyMap<number, Buffer> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word.slice(1))]),
);

function isWordStart(byte: number): boolean {
  return WORDS.has(byte);
}
