import { charCodeAt, includesText, sliceString } from './primordials.ts';

const BACKSLASH = 0x5c;
const BYTE = 0x78;
const UNIT = 0x75;
const LETTERS: ReadonlyMap<number, string> = new Map([
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);
const { fromCharCode } = String;
const letterAt = LETTERS.get.bind(LETTERS);

/** Parses a string as `util.inspect` writes it: in quotes of any kind, with backslash escapes. */
export function readEscaped(quoted: string): string {
  const text = sliceString(quoted, 1, -1);
  if (!includesText(text, '\\')) return text;
  let read = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (charCodeAt(text, at) !== BACKSLASH) continue;
    read += sliceString(text, from, at);
    const code = charCodeAt(text, at + 1);
    const digits = code === BYTE ? 2 : code === UNIT ? 4 : 0;
    from = at + 2 + digits;
    read +=
      digits > 0 ? fromCharCode(+`0x${sliceString(text, at + 2, from)}`) : (letterAt(code) ?? text[at + 1]);
    at = from - 1;
  }
  return read + sliceString(text, from);
}
