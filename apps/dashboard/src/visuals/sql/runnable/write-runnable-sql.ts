import type { ShownParameter } from '../sql-parameters.tsx';
import { type BoundParameter, type BoundStatement, bindParameters } from './bind-parameters.ts';
import { getLiteralWriter, quoteIdentifier } from './dialects.ts';
import { type Literal, type LiteralWriter, type Missing, readBoundValue } from './literals.ts';

/**
 * Writes a statement with its values as literals. A placeholder without a known value stays, and a comment at the beginning names it.
 */
export function writeRunnableSql(statement: BoundStatement): string {
  const writer = getLiteralWriter(statement.dialect, statement.driver);
  const { parameters, hasHiddenLiteral } = bindParameters(statement);
  const missing = new Map<Missing, Set<string>>();
  let written = '';
  let hasLocalDate = false;
  let end = 0;
  for (const parameter of parameters) {
    const { start, end: after, name } = parameter.placeholder;
    const literal = writeParameter(parameter, writer);
    written += statement.sql.slice(end, start);
    if ('sql' in literal) {
      written += separate(written, literal.sql, statement.sql[after]);
      hasLocalDate ||= statement.dialect === 'mysql' && readBoundValue(parameter.value).kind === 'date';
    } else {
      written += statement.sql.slice(start, after);
      const names = missing.get(literal.missing) ?? new Set();
      missing.set(literal.missing, names.add(name));
    }
    end = after;
  }
  written += statement.sql.slice(end);
  const comments = [...missing].map(([why, names]) => formatComment(why, [...names]));
  if (hasHiddenLiteral) comments.push('-- a literal, shown as ?, was not captured');
  if (hasLocalDate) comments.push('-- times are in UTC');
  return [...comments, written].join('\n');
}

/** True if at least one placeholder can be replaced, and the statement was not cut. The SDK marks the end of a cut statement. */
export function hasRunnableSql(statement: BoundStatement): boolean {
  if (statement.sql.endsWith('…')) return false;
  const writer = getLiteralWriter(statement.dialect, statement.driver);
  return bindParameters(statement).parameters.some((parameter) => 'sql' in writeParameter(parameter, writer));
}

/** Lists the values of a statement's placeholders, each once. */
export function listParameters(statement: BoundStatement): readonly ShownParameter[] {
  const shown = new Map<string, ShownParameter>();
  for (const { placeholder, value } of bindParameters(statement).parameters)
    shown.set(placeholder.name, { name: placeholder.name, value });
  return [...shown.values()];
}

function writeParameter({ placeholder, value }: BoundParameter, writer: LiteralWriter): Literal {
  const bound = readBoundValue(value);
  if (!placeholder.isIdentifier) return writer.write(bound, placeholder.isAfterSet);
  if (bound.kind === 'text') return { sql: quoteIdentifier(bound.value) };
  return { missing: bound.kind === 'missing' ? bound.why : 'without a literal' };
}

/** Adds spaces, so that a literal does not become a part of a word beside its placeholder, as in `select?from`. */
function separate(before: string, literal: string, next: string | undefined): string {
  const isWord = /[\w$'"`\u0080-\uffff]/;
  return `${isWord.test(before.at(-1) ?? '') ? ' ' : ''}${literal}${isWord.test(next ?? '') ? ' ' : ''}`;
}

/** Maximum number of placeholders that a comment names. */
const MAX_NAMES = 20;

function formatComment(why: Missing, names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const verb = names.length === 1 ? ['was', 'has'] : ['were', 'have'];
  const reason = why === 'without a literal' ? `${verb[1]} no SQL literal` : `${verb[0]} ${why}`;
  return `-- ${names.slice(0, MAX_NAMES).join(', ')}${more} ${reason}`;
}
