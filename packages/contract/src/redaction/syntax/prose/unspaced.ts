import { isPlaceholder, isPlainWord, isStateWord, looksSecret, MAX_JUDGED } from '../../shapes/plausible.ts';
import {
  CLOSE_PARENTHESIS,
  COMMA,
  findRunEnd,
  isQuote,
  isUnspaced,
  REDACTED_MARK,
} from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';

/** Particles between a name and its value in scripts without spaces: 密码是X, パスワードはX. */
const PARTICLES =
  /^(?:号码|號碼|番号|번호)?[\s"'「『“（(]*(?:是|为|為|就是|：|:|=|は|が|を|も|の値は|은|는|이|가|를|을|:|เป็น|คือ|है|—|-)?[\s"'「『“（(:：]*/;

/** The words of a wallet's recovery phrase. */
const PHRASE = /^[a-z]{3,8}(?: [a-z]{3,8}){11,23}/;

/** Finds the value after a name in a script without spaces. */
export function findUnspaced({ text }: TextScan, end: number): Part | undefined {
  // Assignments such as `"密码": "X"` and `密码="X"` are handled by `findAssigned`.
  if (/^(?:["'`]\s{0,4}[:=,]|\s{0,4}[:=]\s{0,4}["'`])/.test(text.slice(end, end + 12))) return undefined;
  const particles = PARTICLES.exec(text.slice(end, end + 18))?.[0] ?? '';
  const start = end + particles.length;
  const phrase = PHRASE.exec(text.slice(start, start + 240))?.[0];
  if (phrase !== undefined) return { start, end: start + phrase.length };
  const stop = findRunEnd(
    text,
    start,
    (code) => code > 0x20 && !isUnspaced(code) && !isQuote(code) && !isEnding(code),
  );
  const value = text.slice(start, Math.min(stop, start + MAX_JUDGED + 1));
  if (value.length < 3 || isPlaceholder(value) || (isPlainWord(value) && isStateWord(value)))
    return undefined;
  return particles.trim() === '' && !looksSecret(value) && !/^\d{4,10}$/.test(value)
    ? undefined
    : { start, end: stop };
}

function isEnding(code: number): boolean {
  return (
    code === CLOSE_PARENTHESIS ||
    code === COMMA ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xff00 && code <= 0xff20) ||
    code === REDACTED_MARK ||
    code === 0x201d
  );
}
