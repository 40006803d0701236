import { formatDialect, sql } from 'sql-formatter';
import { sqlTokens } from './sql-tokens.ts';

/** A longer query stays as it was sent: laying it out takes longer than a frame, and nobody reads it. UTF-16 units. */
const LONGEST = 10_000;

/**
 * A query on several lines, as one reads it. Nothing but white space is changed: where a dialect is not understood, or anything else would
 * be, the query stays as it was.
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

/** Within a literal, white space counts. */
function listLiterals(text: string): string {
  return sqlTokens(text)
    .filter(({ kind }) => kind === 'string')
    .map((token) => token.text)
    .join('\n');
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
