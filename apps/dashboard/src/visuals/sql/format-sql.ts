import { formatDialect, sql } from 'sql-formatter';
import { splitSql } from './sql-tokens.ts';

/** Maximum length of a query that is formatted, in UTF-16 units. Formatting a longer query takes longer than an animation frame. */
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
