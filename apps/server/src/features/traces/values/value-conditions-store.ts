import { JSON_NUMBER, type ValueCondition } from '@throughline/contract';
import type { Conditions } from '../list/conditions.ts';

/** Bodies and query of a request, each in the column `{side}_{part}`, such as `request_query`. */
const BODIES = [
  { side: 'request', part: 'query' },
  { side: 'request', part: 'body' },
  { side: 'response', part: 'body' },
] as const;

type Member = Extract<ValueCondition, { readonly kind: 'member' }>;

/** Builds SQL that checks a column of JSON, and the parameters of that SQL. */
interface ColumnTest {
  readonly test: (column: string) => string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Conditions on the names in a step or span, for a path of several names. A row that fulfills them can still have another path. */
export interface PathTests {
  /** Condition: the row contains the first name, or is a step or span with this name. */
  readonly first: string;
  /** Condition: the row contains all names; the first name can be the name of the step or span. */
  readonly whole: string;
}

/**
 * Builds conditions on captured values: of a step or span, and of the request itself. A member is found by its last
 * name and by the presence of the names before it; their order is checked by `hasValue`.
 */
export function buildValueConditions(condition: ValueCondition): {
  readonly step: string;
  readonly path: PathTests | undefined;
  readonly bodies: string;
  readonly params: Conditions['params'];
} {
  const { test, params } = condition.kind === 'text' ? findText(condition.text) : findMember(condition);
  const path = condition.kind === 'text' ? [] : condition.path;
  const above = path.slice(0, -1);
  const bodies = BODIES.map(({ side, part }) => {
    const column = `${side}_${part}`;
    // A body that was captured as text contains JSON with escaped quotes.
    const matches = `(${test(column)} OR (startsWith(${column}, '"') AND ${test(`JSONExtractString(${column})`)}))`;
    const named = above.flatMap((name, index) => {
      const isPart = name === part && (index === 0 || (index === 1 && above[0] === side));
      const isTop = isPart || (index === 0 && name === side);
      return isTop || !isWrittenAsIs(name) ? [] : [`position(${column}, {valuePath${index}:String}) > 0`];
    });
    return [matches, ...named].join(' AND ');
  }).join(' OR ');
  const names = Object.fromEntries(
    above.flatMap((name, index) => [
      [`valuePath${index}`, name],
      [`valueKey${index}`, JSON.stringify(name)],
    ]),
  );
  return {
    step: test('captured'),
    path: buildPathTests(above),
    bodies: `(${bodies})`,
    params: { ...params, ...names },
  };
}

function buildPathTests(above: readonly string[]): PathTests | undefined {
  if (above.length === 0) return undefined;
  const contained = above.map((name, index) =>
    isWrittenAsIs(name) ? `position(captured, {valueKey${index}:String}) > 0` : 'true',
  );
  const [key = 'true', ...others] = contained;
  const first = `(name = {valuePath0:String} OR ${key})`;
  return {
    first,
    whole: `(${[first, ...others, 'position(captured, {valueName:String}) > 0'].join(' AND ')})`,
  };
}

/**
 * False for a name that JSON can also contain as an escape sequence, such as `\u00e9`. Senders never escape the characters that the pattern
 * allows.
 */
function isWrittenAsIs(name: string): boolean {
  return /^[\w$@-]+$/.test(name);
}

function findText(text: string): ColumnTest {
  return {
    test: (column) =>
      `(positionCaseInsensitiveUTF8(${column}, {valueJson:String}) > 0 OR positionCaseInsensitiveUTF8(${column}, {valueText:String}) > 0)`,
    params: { valueText: text, valueJson: JSON.stringify(text).slice(1, -1) },
  };
}

/** Matches the text between a member's name and its value. */
const COLON = String.raw`^\s*:\s*`;
const BIGINT = String.raw`\{"\$type":"bigint","value":"`;

function findMember({ path, operator, value, quoted }: Member): ColumnTest {
  const isNumber = !quoted && JSON_NUMBER.test(value);
  const params = {
    valueName: JSON.stringify(path.at(-1)),
    ...(isNumber && {
      valueNumbers: `${COLON}(?:${BIGINT})?(-?[0-9][0-9.eE+-]*)`,
      valueNumber: Number(value),
    }),
    ...(operator === '=' && { valueEqual: `${COLON}${buildEqualPattern(value, quoted)}` }),
  };
  const compared = [
    ...(isNumber
      ? [`toFloat64OrNull(extract(after, {valueNumbers:String})) ${operator} {valueNumber:Float64}`]
      : []),
    ...(operator === '=' ? ['match(after, {valueEqual:String})'] : []),
  ].join(' OR ');
  return {
    // Most rows do not have the name: finding its characters costs a fraction of the rest. A pattern that is matched from the end of each
    // name takes half as long as a pattern that searches the whole value. After a backslash, the quote before the name belongs to a longer
    // name.
    test: (column) => {
      const pieces = `splitByString({valueName:String}, ${column})`;
      return `(position(${column}, {valueName:String}) > 0 AND arrayExists((before, after) -> NOT endsWith(before, '\\\\')
        AND (${compared}), arrayPopBack(${pieces}), arrayPopFront(${pieces})))`;
    },
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
