import jsTokens, { type JSXToken, type Token } from 'js-tokens';

export type TokenKind = 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'other';

/** A token on one line of code. */
export interface SourceToken {
  readonly kind: TokenKind;
  readonly text: string;
}

interface WholeToken extends SourceToken {
  readonly type: (Token | JSXToken)['type'];
}

const KEYWORDS = new Set(
  'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for function get if implements import in infer instanceof interface is keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined using var void while with yield'.split(
    ' ',
  ),
);

/** Splits code into tokens per line. Supports JavaScript, TypeScript and JSX, and never throws for any input. */
export function splitLines(text: string, file: string): SourceToken[][] {
  const lines: SourceToken[][] = [[]];
  for (const { kind, text: value } of readTokens(text, file)) {
    for (const [at, piece] of value.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ kind, text: piece });
    }
  }
  return lines;
}

/** Reads the tokens of code, including spaces and comments. A token can extend over several lines. */
export function* readTokens(text: string, file: string): Generator<WholeToken> {
  const isJsx = /x$/i.test(file);
  let before = '';
  for (const token of isJsx ? jsTokens(text, { jsx: true }) : jsTokens(text)) {
    const isProperty = before === '.' || before === '?.';
    const kind = isProperty && token.type === 'IdentifierName' ? 'name' : findKind(token);
    if (token.value.trim() !== '') before = token.value;
    yield { kind, type: token.type, text: token.value };
  }
}

function findKind({ type, value }: Token | JSXToken): TokenKind {
  switch (type) {
    case 'StringLiteral':
    case 'NoSubstitutionTemplate':
    case 'TemplateHead':
    case 'TemplateMiddle':
    case 'TemplateTail':
    case 'RegularExpressionLiteral':
    case 'JSXString':
      return 'string';
    case 'NumericLiteral':
      return 'number';
    case 'SingleLineComment':
    case 'MultiLineComment':
    case 'HashbangComment':
      return 'comment';
    case 'IdentifierName':
      return KEYWORDS.has(value) ? 'keyword' : 'name';
    default:
      return 'other';
  }
}
