import type { Code, CodeToken } from './flow/code-tokens.ts';
import type { RunLines } from './flow/run-lines.ts';

/** A place in the code that changes a variable or one of its members. */
interface Change {
  /** The changed expression: `total`, `order.total`, or `this.items`. */
  readonly path: string;
  readonly line: number;
  /** True for a change in a nested function, which can run at any time. */
  readonly isNested: boolean;
}

interface Lines {
  readonly from: number;
  readonly to: number;
}

/** Methods that change the object that they are called on. */
const CHANGING = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add delete clear append assign'.split(' '),
);
const ASSIGNMENT = /^(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=$/;
const DECLARING = new Set(['const', 'let', 'var', 'using']);

/** The changes of variables in a function's code, except changes on lines that the call did not reach. */
export class VariableChanges {
  readonly #changes: readonly Change[];
  readonly #loops: readonly Lines[];

  constructor(code: Code | undefined, inner: ReadonlySet<number>, runLines: RunLines) {
    this.#changes =
      code === undefined ? [] : listChanges(code, inner).filter(({ line }) => runLines.get(line) !== false);
    this.#loops = code === undefined ? [] : listLoops(code);
  }

  has(label: string): boolean {
    return this.#find(label).length > 0;
  }

  /** True if the code can change the expression after this line ran for the last time. */
  isLater(label: string, line: number): boolean {
    return this.#find(label).some((change) => change.isNested || change.line > line);
  }

  /** True if the code changes the expression only after this line. */
  isNotYet(label: string, line: number): boolean {
    const isIn = ({ from, to }: Lines, each: number) => from <= each && each <= to;
    return this.#find(label).every(
      (change) =>
        !change.isNested &&
        change.line > line &&
        !this.#loops.some((loop) => isIn(loop, line) && isIn(loop, change.line)),
    );
  }

  /** Finds the changes of the expression, of an object that contains it, and of its members. */
  #find(label: string): readonly Change[] {
    return this.#changes.filter(
      ({ path }) => path === label || path.startsWith(`${label}.`) || label.startsWith(`${path}.`),
    );
  }
}

function listChanges({ tokens, closing }: Code, inner: ReadonlySet<number>): Change[] {
  const changes: Change[] = [];
  const add = (path: string, line: number) => changes.push({ path, line, isNested: inner.has(line) });
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]?.text ?? '';
    const close = closing.get(at);
    // Destructuring assignments change variables: `[a, b] = …` and `({ a } = …)`. Declarations such as `const { a } = …` do not.
    const isMember = tokens[at - 1]?.kind === 'name' || /^[)\]]$/.test(before);
    if (close !== undefined && tokens[close + 1]?.text === '=' && !isMember && !DECLARING.has(before))
      for (const { kind, text, line } of tokens.slice(at, close)) if (kind === 'name') add(text, line);
    const isRoot = token.kind === 'name' || token.text === 'this';
    if (!isRoot || before === '.' || before === '?.' || DECLARING.has(before)) continue;
    const { path, end, method } = readChain(tokens, closing, at);
    const after = tokens[end];
    const isStepped = /^(?:\+\+|--)$/.test(before) || /^(?:\+\+|--)$/.test(after?.text ?? '');
    const isAssigned = after !== undefined && ASSIGNMENT.test(after.text);
    const isChanged =
      isStepped || isAssigned || before === 'delete' || (method !== undefined && CHANGING.has(method));
    if (isChanged || (before === '(' && after?.text === 'of')) add(path, tokens[end - 1]?.line ?? token.line);
  }
  return changes;
}

/**
 * Reads a chain such as `order.lines[0].price`: the path up to the first computed member (`order.lines`), the index of the token after the
 * path and members, and the name of a method that is called on them.
 */
function readChain(
  tokens: readonly CodeToken[],
  closing: ReadonlyMap<number, number>,
  at: number,
): { readonly path: string; readonly end: number; readonly method?: string } {
  let path = tokens[at]?.text ?? '';
  let isPlain = true;
  let end = at + 1;
  for (;;) {
    const text = tokens[end]?.text;
    const close = closing.get(end);
    const name = tokens[end + 1];
    if (text === '[' && close !== undefined) {
      isPlain = false;
      end = close + 1;
    } else if ((text === '.' || text === '?.') && name !== undefined && /^[\w$#]/.test(name.text)) {
      if (tokens[end + 2]?.text === '(') return { path, end, method: name.text };
      if (isPlain) path += `.${name.text}`;
      end += 2;
    } else return { path, end };
  }
}

/** Lists the first and the last line of each loop. */
function listLoops({ tokens, closing }: Code): Lines[] {
  return tokens.flatMap(({ kind, text, line }, at) => {
    if (kind !== 'keyword' || !/^(?:for|while|do)$/.test(text)) return [];
    const head = tokens.findIndex((token, index) => index > at && /^[({]$/.test(token.text));
    const afterHead = (closing.get(head) ?? head) + 1;
    const body = tokens[head]?.text === '(' && tokens[afterHead]?.text === '{' ? afterHead : head;
    const last = tokens[closing.get(body) ?? body];
    return [{ from: line, to: (last?.line ?? line) + (tokens[body]?.text === '{' ? 0 : 1) }];
  });
}
