import { findRunStart, isBlank } from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { toMatchedPart } from './matched-part.ts';

/** Words that begin a directive with a name and a value. */
export const DIRECTIVES = 'env setenv setx variable';

const BEGINS_LINE = /(?:^|[\r\n;]|\\n)[ \t]{0,16}$/;
/** Matches a name and its value in a directive: `ENV ADMIN_PASS X`, `setenv TOKEN X`, `setx TOKEN "X"`. */
const NAMED =
  /^[ \t]{1,4}([A-Za-z_][\w.-]{1,63})[ \t]{1,4}["']?([^\s"'‹=]{3,256})["']?[ \t]{0,4}(?=$|[\r\n\\&;])/;
const UNNAMED = /^[ \t]{1,4}["']?([^\s"'‹]{3,256})["']?[ \t]{0,4}(?=$|[\r\n\\])/;
/** Matches the default of a variable in Terraform: `variable "db_password" { default = "X" }`. */
const DEFAULT = /^ {1,4}"([\w.-]{1,64})" {0,4}\{[^{}]{0,200}?\bdefault\s{0,8}=\s{0,8}"([^"\r\n‹]{1,256})"/;

/** Finds the value of a directive whose first word is from `start` to `end`. */
export function findInDirective({ text, names }: TextScan, start: number, end: number): Part | undefined {
  const word = text.slice(start, end).toLowerCase();
  if (!BEGINS_LINE.test(text.slice(Math.max(0, start - 20), start))) return undefined;
  const rest = text.slice(end, end + 560);
  const found = (word === 'variable' ? DEFAULT : NAMED).exec(rest);
  return found?.[1] === undefined || names.judge(found[1]) === 'plain'
    ? undefined
    : toMatchedPart(end, found, found[2]);
}

/** Finds the password of a directive such as `auth_pass X`, whose name ends with the word from `start` to `end`. */
export function findPassDirective(text: string, start: number, end: number): Part | undefined {
  if (!/(?:^|[\r\n]|\\n)[ \t]{0,16}\w{1,24}[_-]$/.test(text.slice(Math.max(0, start - 44), start)))
    return undefined;
  return findGiven(text, end);
}

const BEHIND_LOGIN =
  /(?:^|[\r\n]|\\n)[ \t]{0,16}(?:login|user(?:name)?|account)[ \t]{1,4}\S{1,64}[ \t]{0,4}(?:\r?\n|\\n)[ \t]{0,16}$/i;
const ENABLES = /(?:^|[\r\n]|\\n)[ \t]{0,16}enable[ \t]$/;

/** Finds the password in a line `password X` of `.netrc`, below the line of the user, and in `enable password X` of a router. */
export function findLoginLine(text: string, start: number, end: number): Part | undefined {
  const indent = findRunStart(text, start, isBlank, 16);
  // The character before the word is the end of a line (in JSON, the `n` of `\n`), or the `e` of `enable`.
  if (indent === 0 || !'\r\nne'.includes(text.charAt(indent - 1))) return undefined;
  const before = text.slice(Math.max(0, start - 110), start);
  return BEHIND_LOGIN.test(before) || ENABLES.test(before) ? findGiven(text, end) : undefined;
}

/** Finds the password of a directive whose name is the word from `start` to `end`: `requirepass X`. */
export function findRequired(text: string, start: number, end: number): Part | undefined {
  const before = text.slice(Math.max(0, start - 20), start);
  return BEGINS_LINE.test(before) || /\bconfig\s(?:set|rewrite)\s$/i.test(before)
    ? findGiven(text, end)
    : undefined;
}

function findGiven(text: string, end: number): Part | undefined {
  return toMatchedPart(end, UNNAMED.exec(text.slice(end, end + 280)));
}
