import type { Shorten } from '../../record/snapshot/text.ts';

/**
 * Quoting rules of a dialect. In MySQL, a backslash escapes, and double quotes delimit strings. In standard SQL, a backslash does not
 * escape and double quotes delimit names; PostgreSQL's `E'…'` is an exception.
 */
export type SqlDialect = 'standard' | 'mysql';

/** Maximum length of SQL, in UTF-16 code units. The rest is cut. */
const maxSql = 8000;

// Parts of SQL that stay unchanged: comments, placeholders, and the numbers of LIMIT and OFFSET, which are never personal. Each dialect's
// pattern adds quoted names. Each part is matched as a whole, so that nothing inside it counts as a literal. A comment or string without an
// end extends to the end of the text.
const unchanged = String.raw`--[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$)|\$\d+|\?|\b(?:limit|offset|fetch\s+(?:first|next))\s+\d{1,9}(?:\s*,\s*\d{1,9})?(?![\w.])`;
const dollarQuoted = String.raw`\$(?<tag>[A-Za-z_]\w*)?\$[\s\S]*?(?:\$\k<tag>\$|$)`;
const plainString = "'(?:[^']|'')*(?:'|$)";
const escapedString = String.raw`'(?:[^'\\]|''|\\[\s\S])*(?:'|\\?$)`;
const number = String.raw`(?<![\w$.@:"])[+-]?(?:0x[0-9a-f]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)(?!\w)`;

const patterns: { readonly [D in SqlDialect]: RegExp } = {
  standard: new RegExp(
    `(?<literal>${dollarQuoted}|\\b[eE]${escapedString}|\\b[bBxXnN]${plainString}|${plainString}|${number})|${unchanged}|"(?:[^"]|"")*(?:"|$)`,
    'gi',
  ),
  mysql: new RegExp(
    `(?<literal>(?:\\b[bBxXnN])?${escapedString}|"(?:[^"\\\\]|""|\\\\[\\s\\S])*(?:"|\\\\?$)|${number})|${unchanged}|#[^\\n]*|\`(?:[^\`]|\`\`)*(?:\`|$)`,
    'gi',
  ),
};

/** The fields in which a step shows a statement. */
export interface ShownStatement {
  /** The step's name: `SELECT users`. */
  readonly name: string;
  /** The SQL without its literals. */
  readonly masked: string;
}

/** Maximum length of a cached statement, in UTF-16 code units. */
const longestCached = 2000;
/** Maximum number of cached statements. A service has hundreds of statements, or more if it writes values into their text. */
const maxCached = 1000;
const cached = { standard: new Map<string, ShownStatement>(), mysql: new Map<string, ShownStatement>() };

/** Describes a statement. Descriptions are cached, because most statements run often. */
export function describeSql(sql: string, dialect: SqlDialect, shorten: Shorten): ShownStatement {
  const known = cached[dialect].get(sql);
  if (known !== undefined) return known;
  const shown = { name: summarizeSql(sql), masked: maskSql(sql, dialect, shorten) };
  if (sql.length > longestCached) return shown;
  if (cached[dialect].size >= maxCached) cached[dialect].clear();
  cached[dialect].set(sql, shown);
  return shown;
}

/** Replaces each literal in the SQL, except the numbers of LIMIT and OFFSET, by a question mark, because literals can be personal data. */
export function maskSql(sql: string, dialect: SqlDialect, shorten: Shorten): string {
  const text = sql.length > maxSql ? `${shorten(sql, maxSql)}…` : sql;
  return text.replace(patterns[dialect], (whole: string, ...rest: unknown[]) => {
    const groups: unknown = rest.at(-1);
    const literal = typeof groups === 'object' && groups !== null && Reflect.get(groups, 'literal');
    return typeof literal === 'string' ? '?' : whole;
  });
}

const target =
  /\b(?:from|into|update|join|table)\s+(?:if\s+(?:not\s+)?exists\s+|only\s+)?((?:["`[]?[\w$]+["`\]]?\.)?["`[]?[\w$]+["`\]]?)/i;

/** Summarizes a statement as a step name: `SELECT users`, `COMMIT`. */
export function summarizeSql(sql: string): string {
  const text = sql.slice(0, maxSql).replace(/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()+/, '');
  const operation = /^[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SQL';
  const table = target.exec(text)?.[1]?.replace(/["`[\]]/g, '');
  return table === undefined ? operation : `${operation} ${table}`;
}
