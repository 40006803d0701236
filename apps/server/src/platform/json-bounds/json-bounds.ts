/** Limits on the structure of JSON. */
export interface JsonLimits {
  /** Number of objects, arrays, strings, numbers, `true`, `false` and `null` at any depth. Names of members are not counted. */
  readonly values: number;
  /** Nesting depth of objects and arrays. */
  readonly depth: number;
  /** Number of members of one object. */
  readonly keys: number;
  /** Number of bytes of one member's name, as written. */
  readonly nameBytes: number;
  /** Number of characters of one number. */
  readonly digits: number;
  /**
   * Number of values in one part: an object or array at the given depth. A trace is a part of depth 2 in
   * `{"traces":[{}]}`.
   */
  readonly part: { readonly depth: number; readonly values: number };
}

export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge';
  readonly limit: keyof JsonLimits;
  readonly allowed: number;

  constructor(limit: keyof JsonLimits, allowed: number) {
    super(`more than ${allowed} ${limit}`);
    this.limit = limit;
    this.allowed = allowed;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Kind of all bytes without another kind. Outside a string, such bytes belong to a number or to `true`, `false` or `null`. */
const TOKEN = 0;
const BLANK = 1;
const COMMA = 2;
const COLON = 3;
const BEGIN_TEXT = 4;
const OPEN = 5;
const CLOSE = 6;
const KINDS = new Uint8Array(256);
const setKind = (characters: string, kind: number): void => {
  for (const byte of Buffer.from(characters)) KINDS[byte] = kind;
};
setKind(' \t\r\n', BLANK);
setKind(',', COMMA);
setKind(':', COLON);
setKind('"', BEGIN_TEXT);
setKind('[{', OPEN);
setKind(']}', CLOSE);

/**
 * Measures the structure of JSON while its bytes arrive in chunks of any size, and stops at the first limit that is exceeded. Takes linear
 * time; the memory depends only on the depth limit. Also counts invalid JSON, which the parser rejects later.
 */
export class JsonBounds {
  readonly #limits: JsonLimits;
  /** Member counts of the open objects, by depth. */
  readonly #keys: Int32Array;
  #values = 0;
  #depth = 0;
  /** Number of values that began before the current part. */
  #partStart = 0;
  /** Length of the unfinished number, `true`, `false` or `null` at the end of the previous chunk. */
  #tokenLength = 0;
  #inText = false;
  /** Length of the last string, or of its part in the previous chunks. */
  #textLength = 0;
  /** True if the previous chunk ended within a string, directly after a backslash. */
  #escaped = false;
  /** True if the last token was a string. A colon after it shows that the string is a name. */
  #afterText = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
    this.#keys = new Int32Array(limits.depth + 1);
  }

  /** Number of values that have begun so far. */
  get values(): number {
    return this.#values;
  }

  /**
   * Processes the next chunk.
   * @throws JsonTooLarge
   */
  add(bytes: Uint8Array): void {
    const {
      values: maxValues,
      depth: maxDepth,
      keys: maxKeys,
      digits: maxDigits,
      part,
      nameBytes,
    } = this.#limits;
    const { depth: partDepth, values: maxPartValues } = part;
    const keys = this.#keys;
    const end = bytes.length;
    let values = this.#values;
    let depth = this.#depth;
    let inText = this.#inText;
    let afterText = this.#afterText;
    let tokenLength = this.#tokenLength;
    let partStart = this.#partStart;
    let textLength = this.#textLength;
    let textStart = 0;
    let at = this.#escaped ? 1 : 0;
    while (at < end) {
      if (inText) {
        let byte = bytes[at++];
        while (byte !== QUOTE && byte !== BACKSLASH && at < end) byte = bytes[at++];
        if (byte === QUOTE) {
          inText = false;
          textLength += at - 1 - textStart;
        } else if (byte === BACKSLASH) at++;
        continue;
      }
      const kind = KINDS[bytes[at++] ?? 0];
      if (kind === TOKEN) {
        if (tokenLength === 0) values++;
        tokenLength++;
        afterText = false;
        if (tokenLength > maxDigits) throw new JsonTooLarge('digits', maxDigits);
        continue;
      }
      tokenLength = 0;
      if (kind === BLANK) continue;
      if (kind === BEGIN_TEXT) {
        values++;
        inText = true;
        afterText = true;
        textLength = 0;
        textStart = at;
        continue;
      }
      if (kind === COLON) {
        // The string before the colon was a name, not a value.
        if (afterText) values--;
        if (textLength > nameBytes) throw new JsonTooLarge('nameBytes', nameBytes);
        const own = (keys[depth] ?? 0) + 1;
        if (own > maxKeys) throw new JsonTooLarge('keys', maxKeys);
        keys[depth] = own;
      } else if (kind === OPEN) {
        if (depth === partDepth) partStart = values;
        values++;
        depth++;
        if (depth > maxDepth) throw new JsonTooLarge('depth', maxDepth);
        keys[depth] = 0;
      } else if (kind === CLOSE && depth > 0) {
        depth--;
        if (depth === partDepth && values - partStart > maxPartValues)
          throw new JsonTooLarge('part', maxPartValues);
      }
      afterText = false;
      if (values > maxValues) throw new JsonTooLarge('values', maxValues);
    }
    if (values > maxValues) throw new JsonTooLarge('values', maxValues);
    this.#values = values;
    this.#depth = depth;
    this.#inText = inText;
    this.#textLength = inText ? textLength + end - textStart : textLength;
    this.#afterText = afterText;
    this.#tokenLength = tokenLength;
    this.#partStart = partStart;
    this.#escaped = at > end;
  }
}
