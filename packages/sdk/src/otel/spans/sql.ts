/**
 * Quoting rules of a dialect. In MySQL, a backslash escapes and double quotes delimit strings; in standard SQL neither applies, except in
 * PostgreSQL's `E'…'`.
 */
export type SqlDialect = 'standard' | 'mysql';

/** Longer SQL is cut. In UTF-16 code units. */
const maxSql = 8000;

// Comments, quoted names and placeholders come first, so that their content does not match as a literal. An unclosed one extends to the
// end.
const kept = String.raw`--[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$)|\$\d+|\?`;
const dollarQuoted = String.raw`\$(?<tag>[A-Za-z_]\w*)?\$[\s\S]*?(?:\$\k<tag>\$|$)`;
const plainString = "'(?:[^']|'')*(?:'|$)";
const escapedString = String.raw`'(?:[^'\\]|''|\\[\s\S])*(?:'|\\?$)`;
const number = String.raw`(?<![\w$.@:"])[+-]?(?:0x[0-9a-f]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)(?!\w)`;

const patterns: { readonly [D in SqlDialect]: RegExp } = {
  standard: new RegExp(
    `(?<literal>${dollarQuoted}|\\b[eE]${escapedString}|\\b[bBxXnN]${plainString}|${plainString}|${number})|${kept}|"(?:[^"]|"")*(?:"|$)`,
    'gi',
  ),
  mysql: new RegExp(
    `(?<literal>(?:\\b[bBxXnN])?${escapedString}|"(?:[^"\\\\]|""|\\\\[\\s\\S])*(?:"|\\\\?$)|${number})|${kept}|#[^\\n]*|\`(?:[^\`]|\`\`)*(?:\`|$)`,
    'gi',
  ),
};

/** A statement as a step shows it. */
export interface ShownStatement {
  /** The step's name: `SELECT users`. */
  readonly name: string;
  /** The SQL without its literals. */
  readonly masked: string;
}

/** Longer statements are not cached. In UTF-16 code units. */
const longestCached = 2000;
/** Number of statements to cache: a service has hundreds, unless it writes values into them. */
const maxCached = 1000;
const cached = { standard: new Map<string, ShownStatement>(), mysql: new Map<string, ShownStatement>() };

/** Describes a statement. Most statements run often, so their descriptions are cached. */
export function describeSql(sql: string, dialect: SqlDialect): ShownStatement {
  const known = cached[dialect].get(sql);
  if (known !== undefined) return known;
  const shown = { name: summarizeSql(sql), masked: maskSql(sql, dialect) };
  if (sql.length > longestCached) return shown;
  if (cached[dialect].size >= maxCached) cached[dialect].clear();
  cached[dialect].set(sql, shown);
  return shown;
}

/** Replaces each literal in the SQL by a question mark, because values can also be written directly into the statement. */
export function maskSql(sql: string, dialect: SqlDialect): string {
  const text = sql.length > maxSql ? `${sql.slice(0, maxSql)}…` : sql;
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
