import { JSON_NUMBER, type ValueCondition } from '@throughline/contract';
import type { Conditions } from '../list/conditions.ts';

/** Columns of a request with values that users can search. */
const BODIES = ['request_query', 'request_body', 'response_body'] as const;

type Member = Extract<ValueCondition, { readonly kind: 'member' }>;

/** Builds SQL that checks a column of JSON, and the parameters of that SQL. */
interface ColumnTest {
  readonly test: (column: string) => string;
  readonly params: Readonly<Record<string, string | number>>;
}

/**
 * Builds conditions on captured values: of a step or span, and of the request itself. A member is found by its last
 * name only; the names before it are checked by `hasValue`.
 */
export function buildValueConditions(condition: ValueCondition): {
  readonly step: string;
  readonly bodies: string;
  readonly params: Conditions['params'];
} {
  const { test, params } = condition.kind === 'text' ? findText(condition.text) : findMember(condition);
  // A body that was captured as text contains JSON with escaped quotes.
  const bodies = BODIES.map(
    (column) => `${test(column)} OR (startsWith(${column}, '"') AND ${test(`JSONExtractString(${column})`)})`,
  ).join(' OR ');
  return { step: test('captured'), bodies: `(${bodies})`, params };
}

function findText(text: string): ColumnTest {
  return {
    test: (column) =>
      `(positionCaseInsensitiveUTF8(${column}, {valueJson:String}) > 0 OR positionCaseInsensitiveUTF8(${column}, {valueText:String}) > 0)`,
    params: { valueText: text, valueJson: JSON.stringify(text).slice(1, -1) },
  };
}

/** Matches a member with this name in JSON. JSON within a string is not matched, because its quotes are escaped: `{\"name\": …`. */
const startOfMember = (name: string) => `[{,]\\s*${escapePattern(JSON.stringify(name))}\\s*:\\s*`;
const BIGINT = String.raw`\{"\$type":"bigint","value":"`;

function findMember({ path, operator, value, quoted }: Member): ColumnTest {
  const name = path.at(-1) ?? '';
  const start = startOfMember(name);
  const isNumber = !quoted && JSON_NUMBER.test(value);
  const params = {
    valueName: JSON.stringify(name),
    ...(isNumber && {
      valueNumbers: `${start}(?:${BIGINT})?(-?[0-9][0-9.eE+-]*)`,
      valueNumber: Number(value),
    }),
    ...(operator === '=' && { valueEqual: `${start}${buildEqualPattern(value, quoted)}` }),
  };
  const compared = [
    ...(isNumber
      ? [
          `arrayExists(each -> toFloat64OrNull(each) ${operator} {valueNumber:Float64}, extractAll(@, {valueNumbers:String}))`,
        ]
      : []),
    ...(operator === '=' ? ['match(@, {valueEqual:String})'] : []),
  ].join(' OR ');
  // Most rows do not have the name: finding its characters costs a fraction of matching a pattern.
  return {
    test: (column) =>
      `(position(${column}, {valueName:String}) > 0 AND (${compared.replaceAll('@', column)}))`,
    params,
  };
}

function buildEqualPattern(value: string, quoted: boolean): string {
  const text = escapePattern(JSON.stringify(value));
  return !quoted && /^(?:true|false|null)$/.test(value) ? `(?:${text}|${value}\\b)` : text;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
