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
