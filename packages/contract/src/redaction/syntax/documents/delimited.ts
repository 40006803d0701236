import { isCounted } from '../../names/verdicts.ts';
import { isPlaceholder, isSmallWord, isStateWord, MAX_JUDGED } from '../../shapes/plausible.ts';
import { findRunEnd } from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';

const SEPARATORS = ['\t', ';', '|', ','] as const;
const MAX_HEADER = 1024;
const MAX_ROWS = 10_000;
const MAX_COLUMNS = 200;
const HEADING = /^[\p{L}_$/][\p{L}\p{N}_$.()/#-]{0,47}(?: [\p{L}\p{N}_#-]{1,24}){0,2}$/u;
const RULER = /^[-+=:| \t]+$/;
const COUNT = /^\d{1,7}$/;

/**
 * Finds the cells of secret columns in the rows below a line of column names: CSV, tables in Markdown and of psql. `at` is within a
 * secret's name. Returns the first cell; the other cells become pending.
 */
export function findInTable(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  if (at < scan.linesEnd || (scan.pending?.length ?? 0) > 0) return undefined;
  const limit = Math.min(text.length, at + MAX_HEADER);
  if (scan.nextLineEnd <= at) scan.nextLineEnd = findRunEnd(text, at, isInLine, limit);
  const isEscaped = text[scan.nextLineEnd] !== '\n';
  const start = findLineStart(text, at, scan.linesEnd, isEscaped);
  const end = findLineEnd(text, at, limit, isEscaped);
  scan.linesEnd = end;
  if (start === undefined || end >= limit) return undefined;
  for (const separator of SEPARATORS) {
    const cells = splitLine(text, start, end, separator, isEscaped);
    const secret = judgeHeader(scan, cells);
    if (secret === undefined) continue;
    const [first, ...others] = readRows(scan, end, { separator, isEscaped, secret, width: cells.length });
    if (others.length > 0) scan.pending = others;
    return first;
  }
  return undefined;
}

function isInLine(code: number): boolean {
  return code !== 0x0a;
}

/**
 * Finds the start of the line at `at`; lines up to `linesEnd` were examined before. In a string within JSON (`isEscaped`), a line ends at
 * a backslash and an `n`, and the string's quotes are the first line's start and the last line's end.
 */
function findLineStart(text: string, at: number, linesEnd: number, isEscaped: boolean): number | undefined {
  const from = Math.max(0, linesEnd, at - MAX_HEADER);
  const before = text.slice(from, at);
  if (!isEscaped) {
    const line = before.lastIndexOf('\n');
    return line >= 0 ? from + line + 1 : from === 0 ? 0 : undefined;
  }
  const line = before.lastIndexOf('\\n');
  let quote = before.lastIndexOf('"');
  while (quote > 0 && before[quote - 1] === '\\') quote = before.lastIndexOf('"', quote - 1);
  if (line < 0 && quote < 0) return from === 0 ? 0 : undefined;
  return from + Math.max(line + 2, quote + 1);
}

function findLineEnd(text: string, from: number, limit: number, isEscaped: boolean): number {
  if (!isEscaped) return findRunEnd(text, from, isInLine, limit);
  for (let at = from; at < limit; at++) {
    const sign = text[at];
    if (sign === '"' && text[at - 1] !== '\\') return at;
    if (sign === '\\' && text[at + 1] === 'n') return at;
  }
  return limit;
}

/** Splits a line at separators outside quotes. Leaves out blanks, quotes, and a separator at the line's beginning or end. */
function splitLine(
  text: string,
  start: number,
  end: number,
  separator: string,
  isEscaped: boolean,
): readonly Part[] {
  const cells: Part[] = [];
  let from = start;
  let quoted = false;
  for (let at = start; at <= end && cells.length <= MAX_COLUMNS; at++) {
    const sign = at < end ? text[at] : separator;
    if (sign === '"') quoted = !quoted;
    if (sign !== separator || (quoted && at < end)) continue;
    cells.push(trimCell(text, from, at, isEscaped));
    from = at + 1;
  }
  if (separator === '|') {
    if (cells[0]?.start === cells[0]?.end) cells.shift();
    if (cells.at(-1)?.start === cells.at(-1)?.end) cells.pop();
  }
  return cells;
}

function trimCell(text: string, from: number, to: number, isEscaped: boolean): Part {
  let start = from;
  let end = to;
  while (start < end && isTrimmed(text[start], isEscaped)) start++;
  while (
    end > start &&
    (isTrimmed(text[end - 1], isEscaped) || (isEscaped && text.startsWith('\\r', end - 2)))
  )
    end--;
  return { start, end };
}

function isTrimmed(sign: string | undefined, isEscaped: boolean): boolean {
  return (
    sign === ' ' ||
    sign === '"' ||
    sign === '\r' ||
    sign === "'" ||
    sign === '`' ||
    (isEscaped && sign === '\\')
  );
}

type Secret = readonly ('plain' | 'texts' | 'secret')[];

/**
 * Finds the secret columns by the columns' names. Returns undefined if no name is a secret's, or if a cell contains text that is not a
 * name.
 */
function judgeHeader({ text, names }: TextScan, cells: readonly Part[]): Secret | undefined {
  if (cells.length < 2 || cells.length > MAX_COLUMNS) return undefined;
  const secret: ('plain' | 'texts' | 'secret')[] = [];
  for (const [index, { start, end }] of cells.entries()) {
    const cell = text.slice(start, end);
    // A message can precede the names: `Error: id,password`.
    const name = index === 0 ? cell.slice(cell.lastIndexOf(': ') + 1).trimStart() : cell;
    if (!HEADING.test(name) || name.split(' ').some(isSmallWord)) return undefined;
    const verdict = names.judge(name);
    secret.push(verdict === 'plain' ? verdict : isCounted(verdict) ? 'texts' : 'secret');
  }
  return secret.every((one) => one === 'plain') ? undefined : secret;
}

interface Table {
  readonly separator: string;
  readonly isEscaped: boolean;
  readonly secret: Secret;
  readonly width: number;
}

function readRows(scan: TextScan, headerEnd: number, { separator, isEscaped, secret, width }: Table): Part[] {
  const { text } = scan;
  const parts: Part[] = [];
  let at = headerEnd;
  for (let count = 0; count < MAX_ROWS; count++) {
    const isLineEnd = isEscaped ? text.startsWith('\\n', at) : text[at] === '\n';
    if (!isLineEnd) break;
    const start = at + (isEscaped ? 2 : 1);
    at = findLineEnd(text, start, text.length, isEscaped);
    if (RULER.test(text.slice(start, Math.min(at, start + MAX_HEADER)))) continue;
    const cells = splitLine(text, start, at, separator, isEscaped);
    if (cells.length !== width) break;
    cells.forEach((cell, column) => {
      const kind = secret[column] ?? 'plain';
      if (kind !== 'plain' && mayBeSecret(text, cell, kind)) parts.push(cell);
    });
    scan.linesEnd = at;
  }
  return parts;
}

function mayBeSecret(text: string, { start, end }: Part, kind: 'texts' | 'secret'): boolean {
  if (end <= start) return false;
  if (end - start > MAX_JUDGED) return true;
  const value = text.slice(start, end);
  return !isPlaceholder(value) && !isStateWord(value) && !(kind === 'texts' && COUNT.test(value));
}
