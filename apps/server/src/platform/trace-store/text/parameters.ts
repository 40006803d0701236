import type { QueryParams } from '../trace-store.ts';

/**
 * Puts SET statements for the parameters before a statement, for the embedded engine. A session keeps its
 * parameters, and the engine parses each parameter by the type in the statement. chdb's own parameter binding
 * is not used: it runs one statement at a time across all sessions.
 * @throws Error if a parameter is missing: the session would use its previous value
 */
export function withParameters(sql: string, params: QueryParams): string {
  const set = buildSetParameters(sql, params);
  return set === '' ? sql : `${set}; ${sql}`;
}

/**
 * Builds the statement that sets `params` for `sql`. Returns an empty string if `params` is empty.
 * @throws Error if a parameter of `sql` is missing
 */
export function buildSetParameters(sql: string, params: QueryParams): string {
  for (const [, name = ''] of sql.matchAll(/\{(\w+):\w/g))
    if (params[name] === undefined) throw new Error(`the parameter ${name} is missing`);
  const set = Object.entries(params).map(
    ([name, value]) => `param_${name} = ${quoteText(formatParameter(value))}`,
  );
  if (set.length === 0) return '';
  const text = `SET ${set.join(', ')}`;
  // ClickHouse accepts statements of up to 256 KiB by default. Each UTF-16 unit takes at most three bytes.
  return text.length < 80_000 ? text : `SET max_query_size = ${text.length * 4}; ${text}`;
}

/**
 * Formats a parameter for ClickHouse:
 * https://clickhouse.com/docs/interfaces/cli#cli-queries-with-parameters-syntax
 */
function formatParameter(value: QueryParams[string]): string {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  return `[${value.map((one) => (typeof one === 'string' ? quoteText(one) : String(one))).join(',')}]`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Quotes a string; statements and lists in parameters use the same quoting. */
function quoteText(text: string): string {
  return `'${escapeText(text)}'`;
}

function escapeText(text: string): string {
  return text.replace(/[\\'\p{Cc}]/gu, (character) => ESCAPES[character] ?? character);
}
