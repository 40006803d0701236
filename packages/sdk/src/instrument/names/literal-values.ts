import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

/** True for a literal, for which the parsers have several node kinds. */
export function isLiteral(tree: Tree, node: Node): boolean {
  const nodeKind = tree.kind(node);
  return nodeKind >= kind.Literal && nodeKind <= kind.StringLiteral;
}

const NUMBER = /^(?:\d[\d_]*\.?[\d_]*(?:e[+-]?\d+)?|\.\d[\d_]*(?:e[+-]?\d+)?|0[xob][\da-f_]+)$/i;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Computes the value of a literal, or of an expression of literals, signs and operators. Returns undefined for other expressions. */
export function readLiteral(tree: Tree, node: Node): string | number | boolean | null | undefined {
  if (tree.kind(node) === kind.UnaryExpression) {
    const value = readLiteral(tree, tree.child(node, slot.unary.argument));
    if (value === undefined) return undefined;
    const sign = tree.text(node)[0];
    if (sign === '!') return !value;
    if (typeof value !== 'number') return undefined;
    return sign === '-' ? -value : sign === '+' ? value : sign === '~' ? ~value : undefined;
  }
  if (tree.kind(node) === kind.BinaryExpression) return foldLiterals(tree, node);
  if (tree.kind(node) === kind.TemplateLiteral && tree.count(node, slot.template.expressions) === 0)
    return readText(tree.text(node));
  if (!isLiteral(tree, node)) return undefined;
  const text = tree.text(node);
  if (/^["']/.test(text)) return readText(text);
  return NUMBER.test(text) ? Number(text.replaceAll('_', '')) : WORDS.get(text);
}

/** Computes an operation on two literals, as V8 does when it reads the source. */
function foldLiterals(tree: Tree, node: Node): string | number | undefined {
  const left = readLiteral(tree, tree.child(node, slot.binary.left));
  const right = readLiteral(tree, tree.child(node, slot.binary.right));
  if (typeof left === 'string' && typeof right === 'string' && readOperator(tree, node) === '+')
    return left + right;
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  switch (readOperator(tree, node)) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return undefined;
  }
}

const OPERATOR = /[-+*/%&|^<>=!?]+|instanceof|in/;

/** Reads the operator between the operands, which can be in parentheses or next to comments. */
export function readOperator(tree: Tree, node: Node): string {
  const end = tree.end(tree.child(node, slot.binary.left));
  const between = tree.source.slice(end, tree.start(tree.child(node, slot.binary.right)));
  return OPERATOR.exec(between.replace(/\/\*.*?\*\/|\/\/.*/gs, ''))?.[0] ?? '';
}

const ESCAPE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|.))/gis;
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
  '\r\n': '',
};

/** Returns the text that is between quotes, with its escapes decoded. */
function readText(quoted: string): string {
  const text = quoted.slice(1, -1);
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_, braced?: string, four?: string, two?: string, one = '') => {
    const code = braced ?? four ?? two;
    return code === undefined ? (ESCAPED[one] ?? one) : String.fromCodePoint(Number.parseInt(code, 16));
  });
}
