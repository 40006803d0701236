/** Rows as ClickHouse's TabSeparated format: of the text formats the cheapest to write, since JSON text only needs its backslashes doubled. */

const NEEDS_ESCAPE = /[\\\t\n]/;
const ESCAPED = /[\\\t\n]/g;

/** A text as a field; half a surrogate pair, which UTF-8 cannot say, becomes U+FFFD when the row is encoded. */
export function textField(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text;
  return text.replace(ESCAPED, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\t') return '\\t';
  return character === '\n' ? '\\n' : '\\\\';
}

/** JSON text as `JSON.stringify` writes it, which holds no raw tab or line end. */
export function jsonField(json: string): string {
  return json.includes('\\') ? json.replaceAll('\\', '\\\\') : json;
}

/** Epoch µs as a DateTime64(6) field: seconds with six decimals. Not before 1970, which ClickHouse would not read. */
export function microsField(micros: bigint): string {
  if (micros < 0n) throw new RangeError(`${micros} µs is before 1970`);
  const digits = micros.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

export const NULL_FIELD = '\\N';

const BACKSLASH = 0x5c;
const FIRST_BYTES = 64 * 1024;
/** Room that one large trace took is not kept for the small ones behind it. */
const MOST_KEPT_BYTES = 1024 * 1024;

/** Puts rows together as bytes, so that what came as bytes is never made into text. One does for any number of them, one after the other. */
export class RowBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  /** What was told and is not among the bytes yet: one long text is written faster than many short ones. */
  #text = '';

  /** The rows that `fill` adds. */
  collect(fill: () => void): Buffer {
    this.#length = 0;
    this.#text = '';
    fill();
    this.#writeText();
    const rows = Buffer.from(this.#bytes.subarray(0, this.#length));
    if (this.#bytes.length > MOST_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    return rows;
  }

  /** Fields and what stands between them. */
  add(text: string): void {
    this.#text += text;
  }

  /** {@link jsonField} of JSON in UTF-8, between two places of `source`, as it stands there. `escaped`: whether there may be a backslash in it. */
  addJson(source: Buffer, start: number, end: number, escaped: boolean): void {
    this.#writeText();
    this.#makeRoom((end - start) * 2);
    if (!escaped) {
      this.#length += source.copy(this.#bytes, this.#length, start, end);
      return;
    }
    const bytes = this.#bytes;
    let at = this.#length;
    for (let from = start; from < end; from++) {
      const byte = source[from] ?? 0;
      bytes[at++] = byte;
      if (byte === BACKSLASH) bytes[at++] = BACKSLASH;
    }
    this.#length = at;
  }

  #writeText(): void {
    // At most three bytes for each of its units.
    this.#makeRoom(this.#text.length * 3);
    this.#length += this.#bytes.write(this.#text, this.#length);
    this.#text = '';
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
