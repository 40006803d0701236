import { formatDialect, sql } from 'sql-formatter';
import { splitSql } from './sql-tokens.ts';

/** A longer query is shown unformatted: formatting takes longer than a frame, and nobody reads such a query. UTF-16 units. */
const LONGEST = 10_000;

/**
 * Formats a query on several lines, changing only white space. Returns the query unchanged if it is too long, if the formatter does not
 * understand its dialect, or if the formatter would change anything else.
 */
export function formatSql(text: string): string {
  if (text.length > LONGEST) return text;
  try {
    const formatted = formatDialect(text, {
      dialect: sql,
      tabWidth: 2,
      expressionWidth: 60,
      paramTypes: { positional: true, numbered: ['$', '?', ':'], named: [':', '@'], quoted: ['@', ':'] },
    });
    return isSame(formatted, text) ? formatted : text;
  } catch {
    return text;
  }
}

function isSame(formatted: string, text: string): boolean {
  return withoutSpace(formatted) === withoutSpace(text) && listLiterals(formatted) === listLiterals(text);
}

/** Extracts the literals, in which white space matters. */
function listLiterals(text: string): string {
  return splitSql(text)
    .filter(({ kind }) => kind === 'string')
    .map((token) => token.text)
    .join('\n');
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
