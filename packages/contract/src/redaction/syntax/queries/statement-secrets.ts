import { namesPlaceholders } from './placeholders.ts';
import { type SqlToken, splitSql } from './sql-tokens.ts';

/** Tells if the values of an SQL statement can be shown. They cannot be shown if a name suggests that one of them is a secret. */
export interface StatementValues {
  /** True if the bound values can be shown. */
  readonly showsBound: boolean;
  /** True if the returned rows can be shown, after the redaction of columns with a secret's name. */
  readonly showsRows: boolean;
  /** True if the statement has parameters. */
  readonly takesValues: boolean;
}

/** Maximum length of an examined statement, in UTF-16 code units. */
const MAX_LENGTH = 4096;
const NOTHING: StatementValues = { showsBound: false, showsRows: false, takesValues: true };

const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_$]*/gu;
/** Maximum number of words of a name. A project's own names can have more words. */
const MAX_WORDS = 4;
/** Matches statements that read or write rows. The values of other statements can be secrets: `PRAGMA key = ?`, `CREATE USER`. */
const READS_OR_WRITES_ROWS =
  /^(?:\s|\(|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/){0,64}(?:select|insert|update|delete|replace|with|values)\b/i;
const SECOND_STATEMENT = /;\s*\S/;
/** Functions whose arguments or results are often secrets. */
const OF_CRYPTOGRAPHY = /crypt|hmac|digest|\bsha\d|\bmd5\b/i;
/** Signs at which strings and comments can begin or end, depending on the dialect, and signs of lists and objects. */
const UNCERTAIN = /[\\#'[{]|--|\/\*|\$\w{0,64}\$/;
const COMBINES = /\b(?:union|intersect|except|minus|pivot|unpivot)\b/i;
/** Escapes in names and strings, comments in comments, MySQL's comments, and strings of PostgreSQL between dollar signs. */
const UNREADABLE = /\\|\bu&|\/\*(?:[^*]|\*(?!\/))*\/\*|#(?!>)|\$[a-z_]*\$/i;
const SELECT = /\bselect\b/gi;
const INSERTS = /\b(?:insert|replace)\s+(?:\w+\s+){0,3}into\b|\binsert\b/i;
/** Functions that return the columns of a row under other names, or as one value; and whole rows within an expression: `f(u.*)`. */
const RETURNS_COLUMNS =
  /\b(?:jsonb?_each\w*|each|crosstab\w*|hstore|dblink\w*|\w+_to_xml\w*|xml\w+)\s*\(|\.\*\s*(?:\)|::)/i;
/** Keywords that can precede a parenthesis. Other words before a parenthesis are names. */
const NO_NAMES = new Set(
  `where on using left right full inner outer cross join natural lateral set values value order group limit offset having returning for in and or not exists
  over filter within any all some as select from into conflict when then else case between like ilike is index key ignore force use partition with by
  materialized union intersect except array row`.split(/\s+/),
);
/** Keywords that can precede the name of a function or a table and its parenthesis: `from f(x)`, `recursive t(a)`. */
const BEFORE_NAMES = new Set([
  ...NO_NAMES,
  ...'update table distinct only recursive default interval end'.split(' '),
]);
/** Names of tables, in lower case, whose columns are secrets under ordinary names, such as `code`: `email_verifications`. */
const SECRET_TABLE =
  /(?:sessions|verifications?|invitations?|invites|vaults?)["`]?$|(?<![a-z])(?:mfa|invite|magic|factors?|keys)(?![a-z])/;
const BEFORE_TABLES = new Set(['from', 'join', 'into', 'update']);
const AFTER_TABLES = new Set(
  'where set values select on using order group limit returning having'.split(' '),
);
const TYPES = new Set(
  'decimal numeric varchar nvarchar char nchar character bit float binary varbinary time timestamp datetime timestamptz signed unsigned'.split(
    ' ',
  ),
);
const NAME = '[\\p{L}_][\\p{L}\\p{N}_$]{0,127}|"[^"\\n]{1,127}"|`[^`\\n]{1,127}`';
const LIST_START = /^\s{0,64}select\s{1,64}(?:distinct\s{1,64})?/i;
const COLUMN = new RegExp(
  `\\s{0,64}(?:(?:${NAME})\\.){0,3}(?<column>${NAME})(?:\\s{1,64}as\\s{1,64}(?<alias>${NAME}))?\\s{0,64}(?<end>,|from\\b)`,
  'iuy',
);

/**
 * Judges a statement by its words, in linear time. If a word anywhere in the statement is the name of a secret, even in a comment or
 * string, nothing is shown. Exception: a plain list of columns, such as that of `SELECT id, password FROM users`, can return secret columns
 * under their own names, because the redaction hides them by these names.
 */
export function judgeStatement(statement: string, isSecretName: (name: string) => boolean): StatementValues {
  if (statement.length > MAX_LENGTH) return NOTHING;
  if (!READS_OR_WRITES_ROWS.test(statement) || SECOND_STATEMENT.test(statement)) return NOTHING;
  if (OF_CRYPTOGRAPHY.test(statement) || UNREADABLE.test(statement)) return NOTHING;
  if (mentionsSecret(statement, isSecretName)) {
    const rest = UNCERTAIN.test(statement) ? undefined : readAfterColumns(statement, isSecretName);
    if (rest === undefined || mentionsSecret(rest, isSecretName)) return NOTHING;
  }
  const tokens = splitSql(statement);
  if (readsSecretTable(tokens)) return NOTHING;
  const takesValues = tokens.some(({ isPlaceholder }) => isPlaceholder);
  if (takesValues && !namesPlaceholders(tokens)) return NOTHING;
  return { showsBound: true, showsRows: !mayRenameColumns(statement, tokens), takesValues };
}

/**
 * True if a word of a text is the name of a secret, or up to four words in succession are: `'%password%'`, `api key`, `vault.token`,
 * `service-role-key`. Commas separate names.
 */
export function mentionsSecret(
  text: string,
  isSecretName: (name: string) => boolean,
  maxWords = MAX_WORDS,
): boolean {
  for (const part of text.normalize('NFC').split(',')) {
    const words = part.match(WORD) ?? [];
    for (let end = 0; end < words.length; end++) {
      let name = '';
      for (let start = end; start >= 0 && end - start < maxWords; start--) {
        name = name === '' ? `${words[start]}` : `${words[start]}_${name}`;
        if (isSecretName(name)) return true;
      }
    }
  }
  return false;
}

function readsSecretTable(tokens: readonly SqlToken[]): boolean {
  let isTable = false;
  return tokens.some(({ text, isName }) => {
    if (BEFORE_TABLES.has(text)) isTable = true;
    else if (text === '(' || AFTER_TABLES.has(text)) isTable = false;
    return isTable && isName && SECRET_TABLE.test(text);
  });
}

/** True if the returned rows can have values under other names than those of the tables' columns. */
function mayRenameColumns(statement: string, tokens: readonly SqlToken[]): boolean {
  const copies = SELECT.test(statement) && INSERTS.test(statement);
  SELECT.lastIndex = 0;
  return copies || COMBINES.test(statement) || RETURNS_COLUMNS.test(statement) || namesColumns(tokens);
}

/** True if a statement gives new names to columns: `FROM users u(a, b)`, `FROM (SELECT …) AS u(a, b)`, `WITH u(a, b) AS (…)`. */
function namesColumns(tokens: readonly SqlToken[]): boolean {
  return tokens.some(({ text }, at) => {
    if (text === ')' && tokens[at + 1]?.text === 'as')
      return /^(?:\(|not|materialized)$/.test(tokens[at + 2]?.text ?? '');
    if (text !== '(') return false;
    const [before, name] = [tokens[at - 2], tokens[at - 1]];
    if (name?.text === ']') return true;
    if (name?.isName !== true || NO_NAMES.has(name.text)) return false;
    if (before?.text === 'as') return !TYPES.has(name.text);
    return (
      before?.text === ')' ||
      before?.text === ']' ||
      (before?.isName === true && !BEFORE_NAMES.has(before.text))
    );
  });
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
