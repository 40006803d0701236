/** Which values of an SQL statement can be shown, because none of them is a secret, as far as names tell. */
export interface StatementValues {
  /** True if the bound values can be shown. */
  readonly showsBound: boolean;
  /** True if the returned rows can be shown, after the redaction of columns with a secret's name. */
  readonly showsRows: boolean;
}

/** Maximum length of an examined statement, in UTF-16 code units. */
const MAX_LENGTH = 4096;
const NOTHING: StatementValues = { showsBound: false, showsRows: false };

const WORD = /[\p{L}_][\p{L}\p{N}_$]*/gu;
/** The statements whose values are known to be data. `PRAGMA key = ?`, `CREATE USER` and procedures are not among them. */
const READS_OR_WRITES_ROWS = /^[\s(]{0,64}(?:select|insert|update|delete|replace|with|values)\b/i;
const SECOND_STATEMENT = /;\s*\S/;
/** Functions whose arguments or results are often secrets. */
const OF_CRYPTOGRAPHY = /crypt|hmac|digest|\bsha\d|\bmd5\b/i;
/** Signs at which strings and comments can begin or end, depending on the dialect, and signs of lists and objects. */
const UNCERTAIN = /[\\#'[{]|--|\/\*|\$\w{0,64}\$/;
const COMBINES = /\b(?:union|intersect|except|minus|pivot|unpivot)\b/i;
const SELECT = /\bselect\b/gi;
/** Words that can stand before a parenthesis where a new name of a table can stand. */
const NO_NAME =
  '(?!(?:where|on|using|left|right|full|inner|outer|cross|join|natural|lateral|set|values?|order|group|limit|offset|having|returning|for|in|and|or|not|exists|over|filter|within|any|all|some|as|select|from|into|conflict|when|then|else|case|between|like|ilike|is|is null|index|key|ignore|force|use|partition|with|by)\\b)';
/** New names of columns: `FROM users u(a, b)`, `FROM (SELECT …) AS u(a, b)`, `WITH u(a, b) AS (…)`. */
const NAMES_COLUMNS = new RegExp(
  [
    String.raw`\bas\s{1,8}${NO_NAME}["\w]{1,64}\s{0,8}\(`,
    String.raw`\b(?:from|join)\s{1,8}["\w.]{1,128}\s{1,8}${NO_NAME}["\w]{1,64}\s{0,8}\(`,
    String.raw`\)\s{0,8}${NO_NAME}["\w]{1,64}\s{0,8}\(`,
    String.raw`\w"?\s{0,8}\([^()]{0,500}\)\s{0,8}as\b`,
  ].join('|'),
  'i',
);
const NAME = '[\\p{L}_][\\p{L}\\p{N}_$]{0,127}|"[^"\\n]{1,127}"|`[^`\\n]{1,127}`';
const LIST_START = /^\s{0,64}select\s{1,64}(?:distinct\s{1,64})?/i;
const COLUMN = new RegExp(
  `\\s{0,64}(?:(?:${NAME})\\.){0,3}(?<column>${NAME})(?:\\s{1,64}as\\s{1,64}(?<alias>${NAME}))?\\s{0,64}(?<end>,|from\\b)`,
  'iuy',
);

/**
 * Judges a statement by its words, in linear time. If a word anywhere in the statement is the name of a secret, even in a comment or
 * string, nothing is shown. The exception are secret columns that a plain list of columns returns under their own names, such as
 * `SELECT id, password FROM users`: the redaction hides them by these names.
 */
export function judgeStatement(statement: string, isSecretName: (name: string) => boolean): StatementValues {
  if (statement.length > MAX_LENGTH) return NOTHING;
  if (!READS_OR_WRITES_ROWS.test(statement) || SECOND_STATEMENT.test(statement)) return NOTHING;
  if (OF_CRYPTOGRAPHY.test(statement)) return NOTHING;
  if (mentionsSecret(statement, isSecretName)) {
    const rest = UNCERTAIN.test(statement) ? undefined : readAfterColumns(statement, isSecretName);
    if (rest === undefined || mentionsSecret(rest, isSecretName)) return NOTHING;
  }
  return { showsBound: true, showsRows: !mayRenameColumns(statement) };
}

/** True if a word of a text is the name of a secret, or two words in succession are: `'%password%'`, `api key`, `vault.token`. */
export function mentionsSecret(text: string, isSecretName: (name: string) => boolean): boolean {
  let before = '';
  for (const [word] of text.matchAll(WORD)) {
    if (isSecretName(word) || (before !== '' && isSecretName(`${before}_${word}`))) return true;
    before = word;
  }
  return false;
}

/** True if a row can have other names than the columns of the tables. */
function mayRenameColumns(statement: string): boolean {
  const selects = statement.match(SELECT)?.length ?? 0;
  const copies = selects > 0 && /^\s*(?:insert|replace)\b/i.test(statement);
  return copies || COMBINES.test(statement) || NAMES_COLUMNS.test(statement);
}

/**
 * Reads the list of columns of a SELECT. Returns the text after FROM; undefined if the list contains anything but columns, or a secret
 * column with a harmless new name.
 */
function readAfterColumns(statement: string, isSecretName: (name: string) => boolean): string | undefined {
  const start = LIST_START.exec(statement)?.[0].length;
  if (start === undefined || (statement.match(SELECT)?.length ?? 0) > 1) return undefined;
  const column = new RegExp(COLUMN);
  column.lastIndex = start;
  for (;;) {
    const { groups } = column.exec(statement) ?? {};
    if (groups === undefined) return undefined;
    const { column: name = '', alias, end } = groups;
    if (alias !== undefined && isSecretName(unquote(name)) && !isSecretName(unquote(alias))) return undefined;
    if (end !== ',') return statement.slice(column.lastIndex);
  }
}

function unquote(name: string): string {
  return /^["`]/.test(name) ? name.slice(1, -1) : name;
}
