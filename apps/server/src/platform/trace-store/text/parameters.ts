import type { QueryParams } from '../open.ts';

/**
 * A statement behind those that set its parameters, for the engine in process: a session there keeps its own, whose text the engine reads by the
 * type that the statement names. What chdb binds itself runs one at a time, over all sessions.
 * @throws Error where a parameter is missing: the session would take what it had before
 */
export function withParameters(sql: string, params: QueryParams): string {
  const set = parametersSet(sql, params);
  return set === '' ? sql : `${set}; ${sql}`;
}

/** Builds the statement that sets the parameters of `sql`; empty where it has none. */
export function parametersSet(sql: string, params: QueryParams): string {
  for (const [, name = ''] of sql.matchAll(/\{(\w+):\w/g))
    if (params[name] === undefined) throw new Error(`the parameter ${name} is missing`);
  const set = Object.entries(params).map(
    ([name, value]) => `param_${name} = ${quoted(formatParameter(value))}`,
  );
  if (set.length === 0) return '';
  const text = `SET ${set.join(', ')}`;
  // Else ClickHouse reads 256 KiB of a statement; characters have three bytes at most for each of `length`.
  return text.length < 80_000 ? text : `SET max_query_size = ${text.length * 4}; ${text}`;
}

/** As ClickHouse reads parameters: https://clickhouse.com/docs/interfaces/cli#cli-queries-with-parameters-syntax */
function formatParameter(value: QueryParams[string]): string {
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return String(value);
  return `[${value.map((one) => (typeof one === 'string' ? quoted(one) : String(one))).join(',')}]`;
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

/** In quotes: in a statement as in a parameter's list, both are read alike. */
function quoted(text: string): string {
  return `'${escaped(text)}'`;
}

function escaped(text: string): string {
  return text.replace(/[\\'\p{Cc}]/gu, (character) => ESCAPES[character] ?? character);
}
