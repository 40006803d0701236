import { isPlaceholder, looksSecret } from '../../shapes/plausible.ts';
import { findRunEnd, isQuote } from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';

/**
 * Finds a secret by the format of a file, such as a Kubernetes manifest. `at` is a colon. Handles formats in which the name before the
 * colon does not denote a secret.
 */
export function findInFormat(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  switch (text.charAt(at - 1)) {
    case 'e':
      return text.startsWith('value', at - 5) ? findEnvironmentValue(scan, at) : undefined;
    case 'd':
      return text.startsWith('kind', at - 4) ? findManifestValues(scan, at) : undefined;
    case 's':
      if (text.startsWith('sess', at - 4)) return findSessionKey(text, at);
      return text.startsWith('Private-Lines', at - 13)
        ? findPrivateLines(text, at)
        : findSerialized(scan, at);
    case 'P':
      return findNetworkPassword(text, at);
    default:
      return undefined;
  }
}

const NAME_BEFORE = /\bname:[ \t]{0,8}["']?([\w.-]{1,64})["']?[ \t]{0,8}\r?\n[ \t]{0,40}value$/;
const LINE_VALUE = /^:[ \t]{0,8}(["']?)([^\r\n"'‹]{1,512})\1(?=\s|$)/;

/**
 * Finds the value of a Kubernetes variable whose name can denote a secret: `- name: DB_PASSWORD`, followed by `value: X` on the next line.
 */
function findEnvironmentValue({ text, names }: TextScan, at: number): Part | undefined {
  const name = NAME_BEFORE.exec(text.slice(Math.max(0, at - 160), at))?.[1];
  return name === undefined || names.judge(name) === 'plain' ? undefined : findLineValue(text, at);
}

function findLineValue(text: string, at: number): Part | undefined {
  const found = LINE_VALUE.exec(text.slice(at, at + 540));
  const value = found?.[2]?.trimEnd();
  if (found === null || value === undefined || isPlaceholder(value)) return undefined;
  const start = at + found[0].lastIndexOf(value);
  return { start, end: start + value.length };
}

const SECRET_KIND = /^: {0,4}["']?Secret["']?[ \t]{0,8}\r?\n/;
const DATA = /\n(?:data|stringData):[ \t]{0,8}\r?\n/;
const MEMBER = /^[ \t]{1,16}[\w.-]{1,128}(?=:)/;
const MAX_MANIFEST = 4096;
const MAX_MEMBERS = 64;

/**
 * Finds the values in the first `data` or `stringData` of a Kubernetes manifest of kind Secret, at most `MAX_MEMBERS` lines. Returns the
 * first value, and adds the others to `scan.pending`. Leaves out placeholders.
 */
function findManifestValues(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  if (at < scan.manifestEnd || (scan.pending?.length ?? 0) > 0) return undefined;
  if (!SECRET_KIND.test(text.slice(at, at + 32))) return undefined;
  scan.manifestEnd = at + MAX_MANIFEST;
  const found = DATA.exec(text.slice(at, at + MAX_MANIFEST));
  if (found === null) return undefined;
  const parts: Part[] = [];
  let line = at + found.index + found[0].length;
  for (let count = 0; count < MAX_MEMBERS; count++) {
    const member = MEMBER.exec(text.slice(line, line + 160))?.[0];
    if (member === undefined) break;
    const part = findLineValue(text, line + member.length);
    if (part !== undefined) parts.push(part);
    const next = text.slice(line, line + MAX_MANIFEST).indexOf('\n');
    if (next < 0) break;
    line += next + 1;
  }
  const [first, ...others] = parts;
  if (others.length > 0) scan.pending = others;
  return first;
}

/** Finds the id in the key of a stored session: `sess:X`. */
function findSessionKey(text: string, at: number): Part | undefined {
  const id = /^[\w-]{20,128}/.exec(text.slice(at + 1, at + 130))?.[0];
  return id !== undefined && looksSecret(id) ? { start: at + 1, end: at + 1 + id.length } : undefined;
}

const SERIALIZED_NAME = /"([^"]{1,64})";s$/;
const SERIALIZED_VALUE = /^:\d{1,6}:"/;

/** Finds the value after a name in PHP's format: `s:8:"password";s:1:"X";`. */
function findSerialized({ text, names }: TextScan, at: number): Part | undefined {
  if (text.charAt(at - 2) !== ';') return undefined;
  const name = SERIALIZED_NAME.exec(text.slice(Math.max(0, at - 72), at))?.[1];
  const value = SERIALIZED_VALUE.exec(text.slice(at, at + 12))?.[0];
  if (name === undefined || value === undefined || names.judge(name) === 'plain') return undefined;
  const start = at + value.length;
  const end = findRunEnd(text, start, (code) => !isQuote(code));
  return end > start ? { start, end } : undefined;
}

/** Finds the password of a wireless network: `WIFI:T:WPA;S:name;P:X;;`. */
function findNetworkPassword(text: string, at: number): Part | undefined {
  if (!/[;:]/.test(text.charAt(at - 2)) || !text.slice(Math.max(0, at - 160), at).includes('WIFI:'))
    return undefined;
  const password = /^(?:\\.|[^;\\\r\n‹]){1,128}(?=;|$)/.exec(text.slice(at + 1, at + 131))?.[0];
  return password === undefined ? undefined : { start: at + 1, end: at + 1 + password.length };
}

/** Finds the lines of the private key in a PuTTY key file. */
function findPrivateLines(text: string, at: number): Part | undefined {
  const head = /^: {0,4}\d{1,4}\r?\n/.exec(text.slice(at, at + 16))?.[0];
  if (head === undefined) return undefined;
  const start = at + head.length;
  const end = text.indexOf('Private-MAC', start);
  return start === text.length ? undefined : { start, end: end < 0 ? text.length : end };
}
