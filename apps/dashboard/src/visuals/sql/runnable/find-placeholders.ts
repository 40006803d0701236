/** The dialects of which the literals and the placeholders are known. */
export type SqlDialect = 'postgresql' | 'mysql' | 'sqlite';

export interface Placeholder {
  /** Position in the statement, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The placeholder as it is shown: `$1` or `:name`; the second `?` of a statement is shown as `?2`. */
  readonly name: string;
  /** True for MySQL's `??`, whose value is an identifier. */
  readonly isIdentifier: boolean;
  /** True after SET or UPDATE, where MySQL's drivers write an object as assignments. */
  readonly isAfterSet: boolean;
  /** True for a `?` without a number or a name. */
  readonly isAnonymous: boolean;
}

export interface FoundPlaceholders {
  readonly placeholders: readonly Placeholder[];
  /** True if a PostgreSQL statement has a `?` where only a value is possible: the SDK replaced a literal there. */
  readonly hasHiddenLiteral: boolean;
}

const PLAIN_STRING = "'(?:[^']|'')*(?:'|$)";
const ESCAPED_STRING = String.raw`'(?:[^'\\]|''|\\[\s\S])*(?:'|\\?$)`;
const QUOTED_NAME = '"(?:[^"]|"")*(?:"|$)';
const BACKTICKED_NAME = '`(?:[^`]|``)*(?:`|$)';
const COMMENT = String.raw`/\*[\s\S]*?(?:\*/|$)`;
const DOLLAR_QUOTED = String.raw`\$(?<tag>[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*?(?:\$\k<tag>\$|$)`;
const WORD = String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`;
const NUMBER = String.raw`(?<number>\d\w*)`;

type Part = 'nested' | 'operand' | 'number' | 'placeholder' | 'operator' | 'word';

/** The parts of a statement. A part is matched as a whole, so that nothing inside it is taken for a placeholder. */
const TOKENS: { readonly [dialect in SqlDialect]: RegExp } = {
  postgresql: new RegExp(
    [
      String.raw`--[^\n\r]*`,
      String.raw`(?<nested>/\*)`,
      `(?<operand>[eE]${ESCAPED_STRING}|${PLAIN_STRING}|${QUOTED_NAME}|${DOLLAR_QUOTED}|[)\\]])`,
      WORD,
      NUMBER,
      String.raw`(?<placeholder>\$\d+)`,
      // An operator ends before a comment.
      String.raw`(?<operator>(?:(?!--|/\*)[-+*/<>=~!@#%^&|?])+)`,
      String.raw`[^\s$]`,
    ].join('|'),
    'g',
  ),
  mysql: new RegExp(
    [
      String.raw`--(?=\s|$)[^\n]*|#[^\n]*`,
      COMMENT,
      `${ESCAPED_STRING}|"(?:[^"\\\\]|""|\\\\[\\s\\S])*(?:"|\\\\?$)|${BACKTICKED_NAME}`,
      WORD,
      NUMBER,
      String.raw`(?<placeholder>\?\??|:[A-Za-z_]\w*)`,
    ].join('|'),
    'g',
  ),
  sqlite: new RegExp(
    [
      String.raw`--[^\n]*`,
      COMMENT,
      `${PLAIN_STRING}|${QUOTED_NAME}|${BACKTICKED_NAME}|\\[[^\\]]*(?:\\]|$)`,
      WORD,
      NUMBER,
      String.raw`(?<placeholder>\?\d*|[:@$][A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    ].join('|'),
    'g',
  ),
};

/** Words after which PostgreSQL expects a value, so that a `?` is no operator. */
const BEFORE_VALUE = new Set(
  'all and any as between by case else having ilike in interval is like limit not offset on or return returning select set similar some then to using values when where'.split(
    ' ',
  ),
);

/** Finds the placeholders of a statement, in their order. */
export function findPlaceholders(sql: string, dialect: SqlDialect): FoundPlaceholders {
  const token = new RegExp(TOKENS[dialect]);
  const placeholders: Placeholder[] = [];
  let anonymous = 0;
  let hasHiddenLiteral = false;
  let isAfterOperand = false;
  let isAfterSet = false;
  for (let match = token.exec(sql); match !== null; match = token.exec(sql)) {
    const [text] = match;
    const groups: { readonly [part in Part]?: string } = match.groups ?? {};
    if (groups.nested !== undefined) {
      token.lastIndex = findCommentEnd(sql, match.index);
      continue;
    }
    const { placeholder, operator, word } = groups;
    if (placeholder !== undefined) {
      const isAnonymous = placeholder === '?' || placeholder === '??';
      placeholders.push({
        start: match.index,
        end: match.index + text.length,
        name: isAnonymous ? `?${++anonymous}` : placeholder,
        isIdentifier: placeholder === '??',
        isAfterSet,
        isAnonymous,
      });
    }
    if (operator !== undefined && isHiddenLiteral(operator, isAfterOperand)) hasHiddenLiteral = true;
    isAfterSet = word !== undefined && /^(?:set|update)$/i.test(word);
    if (/^(?:--|#|\/\*)/.test(text)) continue;
    isAfterOperand =
      (word !== undefined && !BEFORE_VALUE.has(word.toLowerCase())) ||
      placeholder !== undefined ||
      groups.operand !== undefined ||
      groups.number !== undefined ||
      operator?.endsWith('?') === true;
  }
  return { placeholders, hasHiddenLiteral };
}

/** PostgreSQL has the operators `?`, `?|`, `?&` and `@?`. A `?` at the end of another operator is a value, as in `a=?`. */
function isHiddenLiteral(operator: string, isAfterOperand: boolean): boolean {
  return operator.endsWith('?') && operator !== '@?' && !(operator === '?' && isAfterOperand);
}

/** PostgreSQL's comments can contain comments. */
function findCommentEnd(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let match = mark.exec(sql); match !== null; match = mark.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}
