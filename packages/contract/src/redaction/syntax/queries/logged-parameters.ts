import { isPlaceholder } from '../../shapes/plausible.ts';
import { findRunStart, isBlank } from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';
import { findSecretParameters, type SecretParameters } from './sql-parameters.ts';

/** Statements in logs, and the parameters that an ORM prints beside them. */

const STATEMENT = /\b(?:insert\s+into|replace\s+into|update|select|delete\s+from|merge|call|exec)\s/i;
const MAX_BEFORE = 64;
/** Maximum distance of the statement from the beginning of the text. */
const MAX_START = 4096;
/** Maximum length of the statement that is read. This length suffices: statements with secrets insert or update only a few columns. */
const MAX_STATEMENT = 1000;
const MAX_ITEMS = 64;
const MAX_ITEM = 400;

/** Words before a list of parameters: `PARAMETERS: [`, `params=[`, `[generated in 0.1s] (`. */
const LIST =
  /(?:(?:param(?:eter)?s|bindings|binds|values|args)["']?\s{0,2}[:=]?|\[(?:generated|cached|raw|no)\s[^\][]{1,40}\]|;|--)\s{0,2}$/i;
/** Words before a single parameter in logs of Hibernate: `binding parameter [2] as [VARCHAR] - [`. */
const BOUND = /binding parameter [[(](\d{1,3})[^\r\n]{0,36}- $/;
/** The last characters of the words before a list or a single parameter. */
const ENDS = 'sS=:]"\'-;';
const ITEM =
  /^[ \t]{0,4}(?:[@:$]?(\w{1,32})\s?[:=]\s?)?(?:(\\{0,3}["'])([^"'\\‹\r\n]{0,256}|‹redacted›)\2|([^\s,"'\\[\]()‹=:]{1,256}))(?:\s?\([^()]{0,40}\))?[ \t]{0,4}([,\])])/;
/** A parameter without brackets around the list, as Sequelize prints parameters after a statement: `; "X", 7`. */
const BARE =
  /^[ \t]{0,4}(?:(\\{0,3}["'])((?:[^"'\\‹\r\n]|\\.){0,256}|‹redacted›)\1|(-?\d[\d.eE+-]{0,40}|null|true|false))[ \t]{0,4}(,|[\r\n]|\\[rn]|["'`]|$)/;
/** A short number after a statement, which is more often a count of rows than a parameter: `DELETE FROM t WHERE token = ? -- 2`. */
const COUNT = /^\d{1,2}$/;
/** A parameter with its type in logs of MyBatis: `X(String), 7(Integer)`. */
const TYPED = /^[ \t]{0,4}([^\r\n()‹]{1,256}|‹redacted›)\([A-Z]\w{1,24}\)(, |[\r\n]|$)/;

function readStatement(scan: TextScan): SecretParameters | undefined {
  if (scan.logged === undefined) {
    const { text } = scan;
    const start = text.slice(0, MAX_START).search(STATEMENT);
    scan.logged =
      start < 0
        ? null
        : findSecretParameters(text.slice(start, start + MAX_STATEMENT), (name) => scan.names.judge(name));
  }
  return scan.logged ?? undefined;
}

/** Finds the secret parameters in the list whose bracket is at `at`, if the text contains their statement. */
export function findLoggedParameters(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  const last = findRunStart(text, at, isBlank, 2);
  if (!ENDS.includes(text.charAt(last - 1)) || (scan.pending?.length ?? 0) > 0) return undefined;
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at);
  const bound = BOUND.exec(before)?.[1];
  if (bound === undefined && !LIST.test(before)) return undefined;
  const found = readStatement(scan);
  if (found === undefined) return undefined;
  const parts: Part[] = [];
  let next = at + 1;
  for (let index = Number(bound ?? 1) - 1; index < MAX_ITEMS; index++) {
    const item = ITEM.exec(text.slice(next, next + MAX_ITEM));
    if (item === null) break;
    const [whole, name, quote, quoted, plain, sign] = item;
    const value = quoted ?? plain ?? '';
    const start = next + whole.indexOf(`${quote ?? ''}${value}`) + (quote?.length ?? 0);
    const isSecret = name === undefined ? found.indexes.has(index) : found.names.has(name);
    if (isSecret && value !== '' && !isPlaceholder(value)) parts.push({ start, end: start + value.length });
    if (sign !== ',') break;
    next += whole.length;
  }
  return keepOthers(scan, parts);
}

/** Finds the secret parameters in a list without brackets, which begins at `at`, if the text contains their statement. */
export function findBareParameters(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  if ((scan.pending?.length ?? 0) > 0 || !/^ {1,2}["'\d\\ntf-]/.test(text.slice(at, at + 3)))
    return undefined;
  const found = readStatement(scan);
  if (found === undefined || found.indexes.size === 0) return undefined;
  const parts: Part[] = [];
  let next = at;
  for (let index = 0; index < countItems(found); index++) {
    const item = BARE.exec(text.slice(next, next + MAX_ITEM));
    if (item === null) return undefined;
    const [whole, quote, quoted, plain, sign] = item;
    const value = quoted ?? plain ?? '';
    const start = next + whole.indexOf(`${quote ?? ''}${value}`) + (quote?.length ?? 0);
    if (found.indexes.has(index) && value !== '' && !isPlaceholder(value) && !COUNT.test(plain ?? ''))
      parts.push({ start, end: start + value.length });
    if (sign !== ',') break;
    next += whole.length;
  }
  return keepOthers(scan, parts);
}

/** Finds the secret parameters after the colon at `at` in a log of MyBatis: `Parameters: X(String), 7(Integer)`. */
export function findTypedParameters(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  if (!text.startsWith('Parameters', at - 10) || (scan.pending?.length ?? 0) > 0) return undefined;
  const found = readStatement(scan);
  if (found === undefined) return undefined;
  const parts: Part[] = [];
  let next = at + 1;
  for (let index = 0; index < countItems(found); index++) {
    const item = TYPED.exec(text.slice(next, next + MAX_ITEM));
    if (item === null) break;
    const [whole, value = '', end] = item;
    const start = next + whole.indexOf(value);
    if (found.indexes.has(index) && !isPlaceholder(value)) parts.push({ start, end: start + value.length });
    if (end !== ', ') break;
    next += whole.length;
  }
  return keepOthers(scan, parts);
}

/** Returns the number of items up to the last secret one. */
function countItems({ indexes }: SecretParameters): number {
  return Math.min(MAX_ITEMS, Math.max(-1, ...indexes) + 1);
}

function keepOthers(scan: TextScan, [first, ...others]: readonly Part[]): Part | undefined {
  if (others.length > 0) scan.pending = others;
  return first;
}
