import { readTokens, type TokenKind } from '../source-tokens.ts';

/** A token of code with its line. Spaces and comments are left out. */
export interface CodeToken {
  readonly kind: TokenKind;
  readonly text: string;
  readonly line: number;
}

/** A function's tokens, and for each bracket the index of the bracket that closes it. */
export interface Code {
  readonly tokens: readonly CodeToken[];
  readonly closing: ReadonlyMap<number, number>;
}

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Reads the tokens of code whose first line has the number `line`. Returns undefined if brackets do not match. */
export function readCode(text: string, file: string, line: number): Code | undefined {
  const tokens: CodeToken[] = [];
  const closing = new Map<number, number>();
  const open: { readonly at: number; readonly closes: string }[] = [];
  let number = line;
  for (const { kind, type, text: value } of readTokens(text, file)) {
    if (kind !== 'comment' && value.trim() !== '') {
      const at = tokens.length;
      tokens.push({ kind, text: value, line: number });
      const closes = type === 'TemplateHead' ? '`' : kind === 'other' ? CLOSES[value] : undefined;
      const isClosing = type === 'TemplateTail' || (kind === 'other' && /^[)\]}]$/.test(value));
      if (closes !== undefined) open.push({ at, closes });
      else if (isClosing) {
        const last = open.pop();
        if (last === undefined || last.closes !== (type === 'TemplateTail' ? '`' : value)) return undefined;
        closing.set(last.at, at);
      }
    }
    number += value.split('\n').length - 1;
  }
  return open.length > 0 ? undefined : { tokens, closing };
}
