import {
  findRunEnd,
  GREATER,
  isBase64Url,
  isBlank,
  isLineEnd,
  isWideLetter,
  LESS,
} from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';
import { findElementText } from '../../values/assignments/named-values.ts';

const MAX_NAME = 64;
const MAX_ATTRIBUTES = 256;

function isTagCode(code: number): boolean {
  return isBase64Url(code) || code === 0x2e || code === 0x3a || isWideLetter(code);
}

/**
 * Finds the content of the XML or HTML element whose `<` is at `at`, if its name is a secret's:
 * `<password>X</password>`.
 */
export function findElement(scan: TextScan, at: number): Part | undefined {
  const { text, names } = scan;
  const nameEnd = findRunEnd(text, at + 1, isTagCode, at + 1 + MAX_NAME);
  if (nameEnd === at + 1) return undefined;
  const name = text.slice(at + 1, nameEnd);
  const local = name.slice(name.indexOf(':') + 1);
  const { verdict, role } = names.look(local);
  const isNaming = role === 'naming';
  if (!isNaming && verdict === 'plain') return undefined;
  const tagEnd = findRunEnd(
    text,
    nameEnd,
    (code) => code !== GREATER && code !== LESS,
    nameEnd + MAX_ATTRIBUTES,
  );
  if (text.charCodeAt(tagEnd) !== GREATER || text.charAt(tagEnd - 1) === '/') return undefined;
  return isNaming ? findNextElement(scan, tagEnd + 1) : findElementText(scan, tagEnd + 1);
}

/** Finds the value in `<key>password</key><string>X</string>`. */
function findNextElement(scan: TextScan, start: number): Part | undefined {
  const { text, names } = scan;
  const end = findRunEnd(text, start, (code) => code !== LESS, start + MAX_NAME);
  if (!text.startsWith('</', end) || names.judge(text.slice(start, end)) === 'plain') return undefined;
  const closed = findRunEnd(text, end, (code) => code !== GREATER, end + MAX_NAME) + 1;
  const next = findRunEnd(text, closed, (code) => isBlank(code) || isLineEnd(code), closed + MAX_NAME);
  if (text.charCodeAt(next) !== LESS || text.charAt(next + 1) === '/') return undefined;
  const nextEnd = findRunEnd(text, next, (code) => code !== GREATER, next + MAX_NAME);
  return text.charCodeAt(nextEnd) === GREATER ? findElementText(scan, nextEnd + 1) : undefined;
}
