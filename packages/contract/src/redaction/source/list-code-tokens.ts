import jsTokens, { type JSXToken, type Token } from 'js-tokens';

/** A token of source code. White space and comments are no tokens. */
export interface CodeToken {
  readonly type: (Token | JSXToken)['type'];
  readonly value: string;
  /** The number of line breaks before the token. */
  readonly line: number;
}

/** Splits source code (JavaScript, TypeScript or JSX) into tokens. Never throws for any input. */
export function listCodeTokens(text: string, isJsx: boolean): CodeToken[] {
  const tokens: CodeToken[] = [];
  let line = 0;
  for (const { type, value } of isJsx ? jsTokens(text, { jsx: true }) : jsTokens(text)) {
    if (!BETWEEN.has(type)) tokens.push({ type, value, line });
    line += value.split('\n').length - 1;
  }
  return tokens;
}

const BETWEEN: ReadonlySet<CodeToken['type']> = new Set([
  'WhiteSpace',
  'LineTerminatorSequence',
  'SingleLineComment',
  'MultiLineComment',
]);
