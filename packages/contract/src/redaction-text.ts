import { endOfCardNumber, endOfDigits } from './redaction-cards.ts';
import {
  authorizationSecret,
  headerSecret,
  jsonSecret,
  jwtSecret,
  type Names,
  type Part,
  parameterSecret,
  type UrlSearch,
  urlSecret,
} from './redaction-parts.ts';

/** What stands in a text where something was taken out. */
export const REDACTED_TEXT = '‹redacted›';

/** No secret that is looked for is shorter, together with what it is known by. */
const SHORTEST = 7;

/** The characters at which something may begin; all others are passed over with one look into this table. */
const DIGIT = 1;
const LETTER_E = 2;
const LETTER_B = 3;
const COLON = 4;
const EQUALS = 5;
const signs = new Uint8Array(128);
for (const digit of '0123456789') signs[digit.charCodeAt(0)] = DIGIT;
signs['e'.charCodeAt(0)] = LETTER_E;
signs['b'.charCodeAt(0)] = LETTER_B;
signs['B'.charCodeAt(0)] = LETTER_B;
signs[':'.charCodeAt(0)] = COLON;
signs['='.charCodeAt(0)] = EQUALS;

/**
 * `text` with each secret in it replaced by `‹redacted›`; the same string when there is none. Looks for card numbers, JWTs, credentials in URLs,
 * `Bearer` and `Basic` credentials, header lines, URL and form parameters (`?token=…`, `;session=…`) and members of JSON text (`"pin":"…"`).
 * One pass, in time proportional to the length. `cut` says that the text was cut at its end, where half a card number is one too.
 */
export function redactText(text: string, names: Names, cut = false): string {
  const { length } = text;
  if (length < SHORTEST) return text;
  let out = '';
  let kept = 0;
  const search: UrlSearch = { noSignBefore: 0 };
  let index = 0;
  while (index < length) {
    const code = text.charCodeAt(index);
    const sign = code < 128 ? signs[code] : 0;
    if (sign === 0) {
      index++;
      continue;
    }
    let part: Part | undefined;
    let next = index + 1;
    if (sign === DIGIT) {
      next = endOfDigits(text, index);
      const end = endOfCardNumber(text, index, next, cut);
      if (end > 0) part = { start: index, end };
    } else if (sign === COLON) part = colonSecret(text, index, names, search);
    else if (sign === EQUALS) part = parameterSecret(text, index, names);
    else if (sign === LETTER_E) part = jwtSecret(text, index);
    else part = authorizationSecret(text, index);
    if (part !== undefined && part.start >= kept) {
      if (text.slice(part.start, part.end) !== REDACTED_TEXT) {
        out += text.slice(kept, part.start) + REDACTED_TEXT;
        kept = part.end;
      }
      next = part.end;
    }
    index = next;
  }
  return kept === 0 ? text : out + text.slice(kept);
}

function colonSecret(text: string, at: number, names: Names, search: UrlSearch): Part | undefined {
  if (text.startsWith('//', at + 1)) return urlSecret(text, at + 3, search);
  return jsonSecret(text, at, names) ?? headerSecret(text, at);
}
