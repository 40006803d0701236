/** A range of characters in a query: `start` is included, `end` is not. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A problem in a query: its range, the message, and a replacement for the range if there is one. */
export interface QueryProblem extends TextRange {
  readonly message: string;
  readonly replacement?: string;
}

/** One term of a query, not yet checked against the fields. */
export interface QueryToken extends TextRange {
  readonly excluded: boolean;
  /** The field's name; undefined for free text. */
  readonly field: (TextRange & { readonly name: string }) | undefined;
  readonly value: TextRange & { readonly text: string; readonly quoted: boolean };
}

const SPACES = /\s*/y;
const FIELD = /([a-z]+):/iy;
const BARE = /\S+/y;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y;
/** A member compared with quoted text, such as `city="New York"`. */
const COMPARED_QUOTED = /[^\s"=<>]+="(?:[^"\\]|\\[\s\S])*"(?!\S)/y;

/** Splits a query into terms at spaces outside quotes. */
export function readTokens(text: string): {
  readonly tokens: readonly QueryToken[];
  readonly problem?: QueryProblem;
} {
  const tokens: QueryToken[] = [];
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const skipSpaces = (at: number) => at + (match(SPACES, at)?.[0].length ?? 0);
  let at = skipSpaces(0);
  while (at < text.length) {
    const start = at;
    const minus = text[at] === '-';
    const named = match(FIELD, minus ? at + 1 : at);
    // Without a field, a minus sign is part of the searched text.
    const excluded = minus && named !== null;
    const field =
      named?.[1] === undefined
        ? undefined
        : { name: named[1], start: named.index, end: named.index + named[1].length };
    at = field === undefined ? start : field.end + 1;
    const quoted = text[at] === '"';
    const compared = field?.name.toLowerCase() === 'value' ? match(COMPARED_QUOTED, at) : null;
    const found = compared ?? match(quoted ? QUOTED : BARE, at);
    if (quoted && found === null) {
      const problem = { start: at, end: text.length, message: 'The closing quote is missing.' };
      return { tokens, problem: { ...problem, replacement: `${text.slice(at).trimEnd()}"` } };
    }
    const end = at + (found?.[0].length ?? 0);
    if (quoted && end < text.length && skipSpaces(end) === end) {
      const next = text[end] ?? '';
      const problem = { start: end, end: end + 1, message: 'Put a space after the closing quote.' };
      return { tokens, problem: { ...problem, replacement: ` ${next}` } };
    }
    const value = quoted ? (found?.[1] ?? '').replaceAll(/\\([\s\S])/g, '$1') : (found?.[0] ?? '');
    tokens.push({ start, end, excluded, field, value: { start: at, end, text: value, quoted } });
    at = skipSpaces(end);
  }
  return { tokens };
}

/** Returns the value, in quotes if it would otherwise be misread. */
export function quoteValue(value: string): string {
  return value === '' || value.startsWith('"') || /\s/.test(value) ? putInQuotes(value) : value;
}

/** Returns free text, in quotes if it would otherwise be read as a field with a value. */
export function quoteText(value: string): string {
  return /^-?[a-z]+:/i.test(value) ? putInQuotes(value) : quoteValue(value);
}

function putInQuotes(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
