import type { Code, CodeToken } from './code-tokens.ts';
import type { ListRole, Statement, StatementKind, StatementList } from './statement.ts';

type Mutable<Kind> = { -readonly [Key in keyof Kind]: Kind[Key] };
type OpenList = Mutable<StatementList> & { statements: Statement[] };
type OpenStatement = Mutable<Statement> & { lists: StatementList[] };

/** Thrown for code that this parser does not support, such as labels. */
class UnsupportedCode extends Error {}

const SIMPLE: Readonly<Record<string, StatementKind>> = {
  const: 'declaration',
  let: 'declaration',
  var: 'declaration',
  using: 'declaration',
  return: 'return',
  throw: 'throw',
  break: 'leave',
  continue: 'leave',
};

/** Each of these words begins a statement, except in `as const`. */
const BEGINNING = new Set(
  'const let var return throw break continue if for while do try switch else case'.split(' '),
);
/** Words that begin an expression, and hence a statement if the expression before them is complete. */
const OPERANDS = new Set(
  'await new delete typeof void this super null true false async yield class function'.split(' '),
);
const CONTINUING = new Set(['in', 'instanceof', 'of', 'as', 'satisfies', 'is', 'extends', 'implements']);
const COMPLETE_WORDS = new Set(['this', 'super', 'null', 'true', 'false', 'undefined']);

/**
 * Parses the statements of a function's body. Returns undefined for a function without braces, for generators, and for code that is not
 * supported. Two statements without a semicolon between them can be parsed as one statement, but one statement is never parsed as two.
 */
export function parseBody(code: Code): StatementList | undefined {
  const body = findBody(code);
  if (body === undefined) return undefined;
  try {
    return new Parser(code).parseList('function', undefined, body.from, body.to, false);
  } catch (error) {
    if (error instanceof UnsupportedCode) return undefined;
    throw error;
  }
}

/** Finds the tokens between the braces of a function's body. */
function findBody({ tokens, closing }: Code): { readonly from: number; readonly to: number } | undefined {
  const last = tokens.at(-1)?.text === ';' ? tokens.length - 2 : tokens.length - 1;
  const open = [...closing].find(([, to]) => to === last)?.[0];
  if (open === undefined || tokens[open]?.text !== '{') return undefined;
  const arrows: number[] = [];
  for (let at = 0; at < open; at = (closing.get(at) ?? at) + 1) {
    const text = tokens[at]?.text;
    if (text === '*' || text === 'class') return undefined;
    if (text === '=>') arrows.push(at);
  }
  // Unsupported: in `(a) => (b) => {…}` the braces belong to the inner function, and in `(): () => void {…}` an arrow is in the return
  // type.
  if (arrows.length > 1 || (arrows.length === 1 && arrows[0] !== open - 1)) return undefined;
  if (tokens.slice(open, last).some(({ kind, text }) => kind === 'keyword' && text === 'yield'))
    return undefined;
  return { from: open + 1, to: last };
}

class Parser {
  readonly #tokens: readonly CodeToken[];
  readonly #closing: ReadonlyMap<number, number>;

  constructor({ tokens, closing }: Code) {
    this.#tokens = tokens;
    this.#closing = closing;
  }

  parseList(
    role: ListRole,
    owner: Statement | undefined,
    from: number,
    to: number,
    isInLoop: boolean,
  ): StatementList {
    const list: OpenList = { role, owner, isInLoop, statements: [] };
    for (let at = from; at < to; ) at = this.#parseStatement(list, at, to);
    return list;
  }

  #text(at: number): string | undefined {
    return this.#tokens[at]?.text;
  }

  #isKeyword(at: number, word: string): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'keyword' && token.text === word;
  }

  /** Returns the index after the bracket that closes the bracket at `at`. */
  #skip(at: number, bracket: string): number {
    const close = this.#closing.get(at);
    if (close === undefined || this.#text(at) !== bracket) throw new UnsupportedCode();
    return close + 1;
  }

  /** Parses the statement at a token, and returns the index of the token after it. */
  #parseStatement(list: OpenList, at: number, end: number): number {
    const token = this.#tokens[at];
    if (token === undefined) throw new UnsupportedCode();
    if (token.text === ';') return at + 1;
    if (token.text === '{') return this.#parseBlock(list, at);
    if (token.kind === 'keyword') {
      switch (token.text) {
        case 'if':
          return this.#parseIf(list, at, end);
        case 'for':
        case 'while':
          return this.#parseLoop(list, at, end);
        case 'do':
          return this.#parseDo(list, at, end);
        case 'try':
          return this.#parseTry(list, at);
        case 'switch':
          return this.#parseSwitch(list, at);
        case 'function':
          return this.#skipFunction(at);
        case 'async':
          if (this.#isKeyword(at + 1, 'function')) return this.#skipFunction(at + 1);
          break;
        case 'type':
          if (this.#tokens[at + 1]?.kind === 'name') return this.#findEnd(at, end);
          break;
        case 'interface':
          return this.#skip(this.#find(at, '{', end), '{');
        case 'class':
        case 'enum':
        case 'namespace':
        case 'declare':
        case 'abstract':
        case 'export':
        case 'else':
        case 'case':
        case 'default':
          throw new UnsupportedCode();
      }
    }
    if (token.text === '@' || this.#text(at + 1) === ':') throw new UnsupportedCode();
    const to = this.#findEnd(at, end);
    const kind = (token.kind === 'keyword' ? SIMPLE[token.text] : undefined) ?? 'expression';
    const open = this.#open(list, kind, at);
    open.to = to;
    open.headTo = to;
    return to;
  }

  #open(list: OpenList, kind: StatementKind, from: number): OpenStatement {
    const place = list.statements.length;
    const open: OpenStatement = { kind, from, to: from, headTo: from, lists: [], list, place };
    list.statements.push(open);
    return open;
  }

  #parseBlock(list: OpenList, at: number): number {
    const open = this.#open(list, 'block', at);
    open.to = this.#parseBraces(open, 'block', at, list.isInLoop);
    return open.to;
  }

  /** Parses statements in braces, and returns the index after the braces. */
  #parseBraces(open: OpenStatement, role: ListRole, at: number, isInLoop: boolean): number {
    const to = this.#skip(at, '{');
    open.lists.push(this.parseList(role, open, at + 1, to - 1, isInLoop));
    return to;
  }

  /** Parses a branch or a loop's body: statements in braces, or one statement. */
  #parseBranch(open: OpenStatement, role: ListRole, at: number, end: number, isInLoop: boolean): number {
    if (this.#text(at) === '{') return this.#parseBraces(open, role, at, isInLoop);
    const list: OpenList = { role, owner: open, isInLoop, statements: [] };
    const to = this.#parseStatement(list, at, end);
    open.lists.push(list);
    return to;
  }

  #parseIf(list: OpenList, at: number, end: number): number {
    const open = this.#open(list, 'if', at);
    open.headTo = this.#skip(at + 1, '(');
    open.to = this.#parseBranch(open, 'then', open.headTo, end, list.isInLoop);
    if (open.to < end && this.#isKeyword(open.to, 'else'))
      open.to = this.#parseBranch(open, 'else', open.to + 1, end, list.isInLoop);
    return open.to;
  }

  #parseLoop(list: OpenList, at: number, end: number): number {
    const open = this.#open(list, 'loop', at);
    open.headTo = this.#skip(this.#isKeyword(at + 1, 'await') ? at + 2 : at + 1, '(');
    open.to = this.#parseBranch(open, 'loop', open.headTo, end, true);
    return open.to;
  }

  #parseDo(list: OpenList, at: number, end: number): number {
    const open = this.#open(list, 'do', at);
    open.headTo = at + 1;
    const after = this.#parseBranch(open, 'loop', at + 1, end, true);
    if (!this.#isKeyword(after, 'while')) throw new UnsupportedCode();
    open.to = this.#skip(after + 1, '(');
    return open.to;
  }

  #parseTry(list: OpenList, at: number): number {
    const open = this.#open(list, 'try', at);
    open.headTo = at + 1;
    open.to = this.#parseBraces(open, 'try', at + 1, list.isInLoop);
    if (this.#isKeyword(open.to, 'catch')) {
      const braces = this.#text(open.to + 1) === '(' ? this.#skip(open.to + 1, '(') : open.to + 1;
      open.to = this.#parseBraces(open, 'catch', braces, list.isInLoop);
    }
    if (this.#isKeyword(open.to, 'finally'))
      open.to = this.#parseBraces(open, 'finally', open.to + 1, list.isInLoop);
    return open.to;
  }

  #parseSwitch(list: OpenList, at: number): number {
    const open = this.#open(list, 'switch', at);
    open.headTo = this.#skip(at + 1, '(');
    open.to = this.#skip(open.headTo, '{');
    const last = open.to - 1;
    for (let next = open.headTo + 1; next < last; ) {
      if (!this.#isKeyword(next, 'case') && !this.#isKeyword(next, 'default')) throw new UnsupportedCode();
      const from = this.#findColon(next, last) + 1;
      let to = from;
      while (to < last && !this.#isKeyword(to, 'case') && !this.#isKeyword(to, 'default'))
        to = (this.#closing.get(to) ?? to) + 1;
      open.lists.push(this.parseList('case', open, from, to, list.isInLoop));
      next = to;
    }
    return open.to;
  }

  #findColon(from: number, end: number): number {
    for (let at = from; at < end; at = (this.#closing.get(at) ?? at) + 1) {
      if (this.#text(at) === '?') throw new UnsupportedCode();
      if (this.#text(at) === ':') return at;
    }
    throw new UnsupportedCode();
  }

  #find(from: number, text: string, end: number): number {
    for (let at = from; at < end; at = (this.#closing.get(at) ?? at) + 1)
      if (this.#text(at) === text) return at;
    throw new UnsupportedCode();
  }

  #skipFunction(at: number): number {
    const parameters = this.#find(at, '(', this.#tokens.length);
    const after = this.#skip(parameters, '(');
    // Another token, such as `:`, begins a return type. Its braces could be mistaken for the body.
    if (this.#text(after) !== '{') throw new UnsupportedCode();
    return this.#skip(after, '{');
  }

  /** Returns the index of the token after a simple statement. */
  #findEnd(from: number, end: number): number {
    let at = from;
    while (at < end) {
      if (this.#text(at) === ';') return at + 1;
      if (at > from && this.#beginsLine(from, at)) return at;
      at = (this.#closing.get(at) ?? at) + 1;
    }
    return end;
  }

  /** True if the token at `at` begins a new statement, although no semicolon precedes the token. */
  #beginsLine(from: number, at: number): boolean {
    const before = this.#tokens[at - 1];
    const token = this.#tokens[at];
    if (before === undefined || token === undefined) return false;
    if (token.kind === 'keyword' && BEGINNING.has(token.text)) return before.text !== 'as';
    if (findLastLine(before) === token.line) return false;
    if (at - 1 === from && /^(return|break|continue)$/.test(before.text)) return true;
    const isComplete =
      before.kind === 'name' ||
      before.kind === 'number' ||
      before.kind === 'string' ||
      /^[)\]}]$/.test(before.text) ||
      (before.kind === 'keyword' && COMPLETE_WORDS.has(before.text));
    if (!isComplete || CONTINUING.has(token.text)) return false;
    // It is unknown whether the brace begins a block or the body of a function whose head is on the line before.
    if (token.text === '{') throw new UnsupportedCode();
    if (token.kind === 'keyword') return OPERANDS.has(token.text);
    return token.kind === 'name' || token.kind === 'number' || /^['"]/.test(token.text);
  }
}

function findLastLine({ line, text }: CodeToken): number {
  return line + text.split('\n').length - 1;
}
