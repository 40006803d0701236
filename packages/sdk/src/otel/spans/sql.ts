/** How a dialect quotes: in MySQL a backslash escapes and double quotes make strings; standard SQL has neither, but for PostgreSQL's `E'…'`. */
export type SqlDialect = 'standard' | 'mysql';

/** SQL longer than this is cut. UTF-16 units. */
const maxSql = 8000;

// Comments, quoted names and placeholders come first, so that what they hold is not taken for a literal. What is not closed goes to the end.
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

/** The SQL with each literal in it replaced by a question mark: values that a host wrote into the text are values all the same. */
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

/** Summarizes a statement as the name of a step: `SELECT users`, `COMMIT`. */
export function summarizeSql(sql: string): string {
  const text = sql.slice(0, maxSql).replace(/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()+/, '');
  const operation = /^[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SQL';
  const table = target.exec(text)?.[1]?.replace(/["`[\]]/g, '');
  return table === undefined ? operation : `${operation} ${table}`;
}
