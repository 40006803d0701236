import { isPlaceholder } from '../shapes/plausible.ts';
import type { Part } from '../texts/scan.ts';

const ORACLE_PORT = /^152[0-9]$/;
const ORACLE_LOGIN = /(?:^|[\s:"'`=])[\w$#]{1,30}\/([^\s@/"'`‹]{3,64})@(?:\/\/)?[\w.-]{1,80}:$/;
const MAX_LOGIN = 200;

/** Finds Oracle's password before the port that is from `start` to `end`: `scott/X@//host:1521/shop`. */
export function findOraclePassword(text: string, start: number, end: number): Part | undefined {
  if (text.charAt(start - 1) !== ':' || !ORACLE_PORT.test(text.slice(start, end))) return undefined;
  const from = Math.max(0, start - MAX_LOGIN);
  return findLast(ORACLE_LOGIN, text.slice(from, start), from);
}

const GO_LOGIN = /(?:^|[\s"'`=])[\w.-]{1,32}:([^\s"'`‹]{3,128})@(?:tcp|unix)$/;

/** Finds the password before a network address of Go's MySQL driver, whose parenthesis is at `at`: `app:X@tcp(host:3306)/shop`. */
export function findGoPassword(text: string, at: number): Part | undefined {
  if (!text.startsWith('@tcp', at - 4) && !text.startsWith('@unix', at - 5)) return undefined;
  const from = Math.max(0, at - MAX_LOGIN);
  return findLast(GO_LOGIN, text.slice(from, at), from);
}

function findLast(pattern: RegExp, before: string, from: number): Part | undefined {
  const found = pattern.exec(before);
  const password = found?.[1];
  if (found === null || password === undefined || isPlaceholder(password)) return undefined;
  const start = from + found.index + found[0].lastIndexOf(`${password}@`);
  return { start, end: start + password.length };
}
