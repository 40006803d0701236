/**
 * Checks that each placeholder of an SQL statement is in a position where a name in the statement says what the placeholder's value is,
 * such as `name = ?`. The values of `INSERT INTO users VALUES (?, ?)` and `SELECT check_login(?, ?)` have no names, and can be passwords.
 */

import type { SqlToken } from './sql-tokens.ts';

const COMPARES = new Set('like ilike glob match regexp rlike between to from'.split(' '));
/** Words between a name and the operator after it: `name NOT IN (…)`, `name IS DISTINCT FROM ?`. */
const BETWEEN_NAME_AND_OPERATOR = new Set(['not', 'is', 'distinct', 'similar']);
const COUNTS = new Set(['limit', 'offset', 'first', 'next']);
const CONDITIONS = new Set(['where', 'and', 'or', 'on', 'not', 'having', 'when']);
/** Functions that return one of their arguments, a part of it, or the same value in another form. */
const FUNCTIONS = new Set(
  `lower upper coalesce nullif ifnull trim ltrim rtrim btrim length char_length abs round ceil floor cast convert date datetime timestamp
  time date_trunc date_add date_sub date_part extract to_date to_timestamp make_interval interval any all some greatest least mod concat
  to_tsquery plainto_tsquery websearch_to_tsquery phraseto_tsquery to_tsvector json_build_object json_build_array jsonb_build_object
  jsonb_build_array json_object json_array jsonb_set json_set to_json to_jsonb json jsonb unaccent unixepoch strftime julianday substr
  substring left right replace instr position from_unixtime unix_timestamp str_to_date`.split(/\s+/),
);
const KEYWORDS = new Set([
  ...CONDITIONS,
  ...COUNTS,
  ...COMPARES,
  ...'select set values value by then else case in into as using return returning union distinct interval insert replace'.split(
    ' ',
  ),
]);
const OPERATOR = /^(?:[=<>!~+\-*/%|&@#^]+|=>)$/;
const MAX_DEPTH = 50;

/** True if each placeholder is in a recognized position. */
export function namesPlaceholders(tokens: readonly SqlToken[]): boolean {
  const reader = new PositionReader(tokens);
  return tokens.every(({ isPlaceholder }, at) => !isPlaceholder || reader.isNamed(at, 0));
}

class PositionReader {
  readonly #tokens: readonly SqlToken[];
  /** For each token, the index of the parenthesis around it; -1 if there is none. */
  readonly #around: readonly number[];
  /** The number of columns in an INSERT's list, and the index of `VALUES` after the list. */
  readonly #columns: number;
  readonly #values: number;

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
    const open: number[] = [];
    this.#around = tokens.map(({ text }, at) => {
      if (text === ')') open.pop();
      const around = open.at(-1) ?? -1;
      if (text === '(') open.push(at);
      return around;
    });
    [this.#columns, this.#values] = this.#readColumns();
  }

  #text(at: number): string {
    return this.#tokens[at]?.text ?? '';
  }

  /** True if a name says what the value of the operand that begins at `at` is. */
  isNamed(at: number, depth: number): boolean {
    const before = this.#text(at - 1);
    if (depth > MAX_DEPTH) return false;
    if (before === '(' || before === ',') return this.#isNamedInside(at, depth);
    if (before === 'interval') return this.isNamed(at - 1, depth + 1);
    if (COUNTS.has(before)) return true;
    if (before === 'and' && this.#endsBetween(at - 1)) return true;
    if (CONDITIONS.has(before)) return this.#isBeforeName(at) || this.#isNullCheck(at);
    if (before === 'from' && this.#text(at - 2) !== 'distinct') return false;
    if (!OPERATOR.test(before) && !COMPARES.has(before)) return false;
    return this.#isNameBefore(at - 1, depth);
  }

  /** True if the operator at `at` follows a name, or an operand that is named itself: `name LIKE '%' || ?`. */
  #isNameBefore(at: number, depth: number): boolean {
    let end = at - 1;
    while (BETWEEN_NAME_AND_OPERATOR.has(this.#text(end))) end--;
    const { text = '', isName = false, isPlaceholder = false } = this.#tokens[end] ?? {};
    if (text === ')' || (isName && !KEYWORDS.has(text))) return true;
    return (isPlaceholder || /^['\d]/.test(text)) && this.isNamed(end, depth + 1);
  }

  /** True for an operand in a condition if a name follows the operator after it: `? = ANY(tags)`. */
  #isBeforeName(at: number): boolean {
    const after = this.#tokens[at + 2];
    if (!OPERATOR.test(this.#text(at + 1)) || after?.isName !== true) return false;
    return !KEYWORDS.has(after.text) && (this.#text(at + 3) !== '(' || FUNCTIONS.has(after.text));
  }

  #endsBetween(at: number): boolean {
    for (let before = at - 1; before > 0 && at - before < MAX_DEPTH; before--) {
      const text = this.#text(before);
      if (text === 'between') return this.#around[before] === this.#around[at];
      if (this.#around[before] === this.#around[at] && CONDITIONS.has(text)) return false;
    }
    return false;
  }

  #isNamedInside(at: number, depth: number): boolean {
    const open = this.#around[at] ?? -1;
    if (open < 0) return this.#text(at - 1) === ',' && this.#text(at - 3) === 'limit';
    const outer = this.#text(open - 1);
    if (outer === 'in') return this.#isNameBefore(open - 1, depth);
    if (FUNCTIONS.has(outer)) return this.isNamed(open - 1, depth + 1);
    if (outer === 'values' || outer === 'value' || (outer === ',' && this.#text(open - 2) === ')'))
      return this.#isRow(open);
    const isAlone = this.#text(at - 1) === '(' && this.#text(at + 1) === ')';
    if (isAlone) return this.isNamed(open, depth + 1);
    if (this.#text(at - 1) === ',' || this.#isFunction(open)) return false;
    return this.#isBeforeName(at) || this.#isNullCheck(at);
  }

  /** True for `$1::text IS NULL`, if the same parameter is also in another position. */
  #isNullCheck(at: number): boolean {
    const isAt = this.#text(at + 1) === '::' ? at + 3 : at + 1;
    const placeholder = this.#text(at);
    if (this.#text(isAt) !== 'is' || placeholder === '?') return false;
    return this.#tokens.some(({ text }, other) => other !== at && text === placeholder);
  }

  #isFunction(open: number): boolean {
    const before = this.#tokens[open - 1];
    return before?.isName === true && !KEYWORDS.has(before.text);
  }

  /** True for a row of VALUES with as many elements as the INSERT has columns. */
  #isRow(open: number): boolean {
    if (this.#values < 0 || open < this.#values) return false;
    let first = open;
    while (this.#text(first - 1) === ',') {
      const around = this.#around[open];
      first -= 2;
      while (first > this.#values && !(this.#text(first) === '(' && this.#around[first] === around)) first--;
    }
    if (first - 1 !== this.#values) return false;
    return this.#countItems(open) === this.#columns;
  }

  #countItems(open: number): number {
    let count = 1;
    for (let at = open + 1; at < this.#tokens.length; at++) {
      if (this.#text(at) === ')' && this.#around[at] === this.#around[open]) return count;
      if (this.#text(at) === ',' && this.#around[at] === open) count++;
    }
    return -1;
  }

  /** Reads `INTO table (columns) VALUES`. */
  #readColumns(): readonly [columns: number, values: number] {
    let at = this.#tokens.findIndex(({ text }) => text === 'into');
    if (at < 0) return [-1, -1];
    at += 2;
    while (this.#text(at) === '.') at += 2;
    if (this.#text(at) === 'as') at += 2;
    if (this.#text(at) !== '(') return [-1, -1];
    const columns = this.#countItems(at);
    for (let end = at + 1; end < this.#tokens.length; end++) {
      const { text = '', isName = false } = this.#tokens[end] ?? {};
      if (text === ')') return /^values?$/.test(this.#text(end + 1)) ? [columns, end + 1] : [-1, -1];
      if (!isName && text !== ',') break;
    }
    return [-1, -1];
  }
}
