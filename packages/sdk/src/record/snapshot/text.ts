import { bufferFrom, bufferToString, charCodeAt, sliceString } from '../writer/primordials.ts';

/** Bytes of `text` inside JSON's quotes: exact for ASCII, never too few for the rest. */
export function jsonBytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = charCodeAt(text, index);
    if (unit < 0x80) bytes += unit < 0x20 ? 6 : unit === 0x22 || unit === 0x5c ? 2 : 1;
    else if (unit < 0x800) bytes += 2;
    // A lone surrogate is written as an escape of six characters; telling it from a pair is not worth the time.
    else bytes += unit >= 0xd800 && unit <= 0xdfff ? 6 : 3;
  }
  return bytes;
}

/** Strings this much longer than what is kept are copied out of, so that the kept part does not hold the whole in memory. */
const HOLDS_TOO_MUCH = 1024;

/** The first `length` units of `text`, not ending within a surrogate pair. */
export function firstUnits(text: string, length: number): string {
  let end = length;
  if (end > 0) {
    const last = charCodeAt(text, end - 1);
    if (last >= 0xd800 && last <= 0xdbff) end--;
  }
  const part = sliceString(text, 0, end);
  // V8's slices point into their parent.
  return text.length - end > HOLDS_TOO_MUCH ? bufferToString(bufferFrom(part, 'utf16le'), 'utf16le') : part;
}

/** A text of secondary interest (a message, a pattern): past `length` units it is cut and says so in words. */
export function excerpt(text: string, length: number): string {
  return text.length <= length ? text : `${firstUnits(text, length)}… (${text.length} characters)`;
}

/** A name (class, function, symbol): at most 66 bytes of JSON, so that any marker that holds one has a known size. */
export function label(name: string): string {
  if (name.length <= 64 && jsonBytes(name) <= 66) return name;
  const part = firstUnits(name, Math.min(name.length, 60));
  return `${jsonBytes(part) <= 63 ? part : firstUnits(part, 10)}…`;
}
