/** How a member's value is compared. Numbers compare as numbers; only `=` accepts other values. */
export type ValueOperator = '=' | '>' | '>=' | '<' | '<=';

/** A search over captured values: for text anywhere in a value, or for the value of a member. */
export type ValueCondition =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'member';
      /** The last names of the member's path, such as `['charge', 'order', 'totalCents']`. */
      readonly path: readonly [string, ...string[]];
      readonly operator: ValueOperator;
      readonly value: string;
      /** True if the value was written in quotes, so that it is text even if it looks like a number. */
      readonly quoted: boolean;
    };

export type ParsedValue =
  | { readonly condition: ValueCondition; readonly problem?: never }
  | { readonly condition?: never; readonly problem: string };

/** Names are separated by dots. Anything else before the sign, such as a space, makes the whole value a text. */
const COMPARISON = /^([\p{L}\p{N}_$@.-]*?)(>=|<=|=|>|<)(.*)$/su;
const QUOTED = /^"((?:[^"\\]|\\[\s\S])*)"$/;
/** Maximum length of a condition in the parameter and the field `value`. */
const MAX_WRITTEN = 1000;
/** Maximum number of names in a path. */
const MAX_NAMES = 20;

/** Matches a number as JSON writes it. */
export const JSON_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses a search over captured values, such as `charge.order.totalCents>50000`, `country=UK` or `no stock`. A value that has quotes of its
 * own, within the quotes of the query, is always text.
 */
export function parseValueCondition(written: string): ParsedValue {
  const quotedText = QUOTED.exec(written)?.[1];
  if (quotedText !== undefined) return parseText(unescapeQuoted(quotedText));
  const [, names = '', sign, value = ''] = COMPARISON.exec(written) ?? [];
  if (sign === undefined) return parseText(written);
  // Safe cast: the pattern matches only these signs.
  const operator = sign as ValueOperator;
  const [first = '', ...rest] = names.split('.');
  if (names === '')
    return { problem: `Write a name before ${sign}, such as totalCents${sign}${value || '5'}.` };
  if ([first, ...rest].includes(''))
    return {
      problem: `“${names}” has a dot without a name beside it. Write names such as order.totalCents.`,
    };
  if (rest.length >= MAX_NAMES) return { problem: `Write at most ${MAX_NAMES} names.` };
  if (value === '') return { problem: `Write a value after ${sign}, such as ${names}${sign}5.` };
  const quoted = QUOTED.exec(value)?.[1];
  if (operator !== '=' && (quoted !== undefined || !JSON_NUMBER.test(value))) {
    return {
      problem: `“${value}” is not a number. Compare with a number, such as ${names}${sign}5, or write = before text.`,
    };
  }
  const path = [first, ...rest] as const;
  return {
    condition: {
      kind: 'member',
      path,
      operator,
      value: quoted === undefined ? value : unescapeQuoted(quoted),
      quoted: quoted !== undefined,
    },
  };
}

/** Matches text that needs no quotes after `=`, because nothing else is written like it. */
const PLAIN_TEXT = /^(?!(?:true|false|null)$)\p{L}[\p{L}\p{N}_-]*$/u;

/**
 * Formats the condition that a member has a value, such as `charge.order.totalCents=129`. Returns undefined if the language cannot express
 * the path or the value.
 */
export function formatValueCondition(
  path: readonly string[],
  value: string | number | boolean | null,
): string | undefined {
  const quoted = typeof value === 'string' && !PLAIN_TEXT.test(value);
  const text = String(value);
  const written = `${path.join('.')}=${quoted ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : text}`;
  const { condition } = parseValueCondition(written);
  const isSame =
    condition?.kind === 'member' &&
    condition.value === text &&
    condition.operator === '=' &&
    condition.path.length === path.length &&
    condition.path.every((name, at) => name === path[at]);
  return isSame && written.length <= MAX_WRITTEN ? written : undefined;
}

function parseText(text: string): ParsedValue {
  return text.trim() === ''
    ? { problem: 'Write the text to search for.' }
    : { condition: { kind: 'text', text } };
}

function unescapeQuoted(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, '$1');
}
