import type { Code, CodeToken } from './code-tokens.ts';
import { type Statement, type StatementList, walkStatements } from './statement.ts';

/** A name that a statement declares with const, let or using. */
export interface Declared {
  readonly name: string;
  readonly statement: Statement;
  /** True if the declared value is a literal. Bundlers replace the name by such a value. */
  readonly isLiteral: boolean;
  /** How often the name occurs, not counting its declaration. */
  readonly reads: number;
}

const LITERAL = /^(?:null|true|false|undefined)$/;

/**
 * Lists the names that a function's statements declare. Leaves out names that occur in more than one declaration or in the function's head.
 */
export function listDeclared(code: Code, body: StatementList): Declared[] {
  const { tokens } = code;
  const counted = countNames(tokens);
  const bound = new Map<string, number>();
  const count = (name: string) => bound.set(name, (bound.get(name) ?? 0) + 1);
  const first = body.statements[0]?.from ?? tokens.length;
  for (const { kind, text } of tokens.slice(0, first)) if (kind === 'name') count(text);
  for (const [at, { kind, text }] of tokens.entries())
    if (kind === 'name' && /^(?:function|class)$/.test(tokens[at - 1]?.text ?? '')) count(text);
  const declared: Declared[] = [];
  for (const statement of walkStatements(body)) {
    for (const name of listBound(code, statement)) count(name);
    if (statement.kind !== 'declaration' || tokens[statement.from]?.text === 'var') continue;
    const isLiteral = hasLiteral(tokens, statement);
    for (const name of listNames(code, statement.from + 1))
      declared.push({ name, statement, isLiteral, reads: (counted.get(name) ?? 1) - 1 });
  }
  return declared.filter(({ name }) => bound.get(name) === 1);
}

/** Lists all names that a statement can bind, and possibly more: names in patterns, catch clauses and heads of loops. */
function listBound({ tokens, closing }: Code, { kind, from, to, headTo, lists }: Statement): string[] {
  if (kind === 'loop') return tokens.slice(from, headTo).flatMap(readName);
  if (kind === 'try') {
    const handler = lists.find(({ role }) => role === 'catch');
    const block = handler?.statements[0]?.from ?? to;
    const clause = tokens.findLastIndex(({ text }, at) => text === 'catch' && at < block);
    return handler === undefined ? [] : tokens.slice(clause, block).flatMap(readName);
  }
  if (kind !== 'declaration') return [];
  const names: string[] = [];
  for (let at = from + 1; at < to; at++) {
    const before = tokens[at - 1]?.text;
    const close = closing.get(at);
    if (at === from + 1 || before === ',') {
      if (close !== undefined) names.push(...tokens.slice(at, close).flatMap(readName));
      else names.push(...tokens.slice(at, at + 1).flatMap(readName));
    }
    at = close ?? at;
  }
  return names;
}

function readName({ kind, text }: CodeToken): string[] {
  return kind === 'name' ? [text] : [];
}

/** Lists the names that the first declarator certainly binds: one of `a`, `{ a, b: c, d = 1, ...e }` or `[a, b]`. */
function listNames({ tokens, closing }: Code, at: number): string[] {
  const first = tokens[at];
  if (first?.kind === 'name') return [first.text];
  const close = closing.get(at);
  if (close === undefined) return [];
  const names: string[] = [];
  for (let next = at + 1; next < close; next = (closing.get(next) ?? next) + 1) {
    const [token, before, after] = [tokens[next], tokens[next - 1]?.text ?? '', tokens[next + 1]?.text ?? ''];
    const isElement =
      before === '{' || before === '[' || before === ',' || before === '...' || before === ':';
    if (token?.kind === 'name' && isElement && /^[,}\]=]$/.test(after)) names.push(token.text);
  }
  return names;
}

function hasLiteral(tokens: readonly CodeToken[], { from, to }: Statement): boolean {
  const value = tokens.slice(from, to).filter(({ text }) => text !== ';');
  const last = value.at(-1);
  if (value.at(-2)?.text !== '=' || last === undefined) return false;
  return last.kind === 'number' || last.kind === 'string' || LITERAL.test(last.text);
}

/** Counts how often each name occurs in the code, also as the name of a property. */
export function countNames(tokens: readonly CodeToken[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const { kind, text } of tokens) if (kind === 'name') counted.set(text, (counted.get(text) ?? 0) + 1);
  return counted;
}
