import { childPlaces, flag, kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

/** The text that V8's messages print in place of an expression that V8 does not write out. */
const INTERMEDIATE = '(intermediate value)';
const MAX_LENGTH = 200;

/** Expressions for which V8 stores no source position. V8's messages name only the type of their values. */
const UNPLACED: ReadonlySet<number> = new Set([
  kind.ConditionalExpression,
  kind.LogicalExpression,
  kind.ChainExpression,
]);

const FUNCTIONS: ReadonlySet<number> = new Set([
  kind.FunctionDeclaration,
  kind.FunctionExpression,
  kind.ArrowFunctionExpression,
]);

const UNVISITED: ReadonlySet<number> = new Set([
  kind.Directive,
  kind.FunctionDeclaration,
  kind.EmptyStatement,
]);

/** Nodes that V8's messages print in a `for` head, but not after `yield*`. */
const UNPLACED_AFTER_YIELD: ReadonlySet<number> = new Set([
  ...UNPLACED,
  kind.Identifier,
  kind.ThisExpression,
  kind.ObjectExpression,
  kind.ArrowFunctionExpression,
  kind.FunctionExpression,
  kind.ClassExpression,
]);

/**
 * Counts how often V8's message prints `(intermediate value)` for the operand of a `yield*` that is not iterable: once for the operand, and
 * once for each node that follows the operand in its function, from the last node of `path` outwards. Returns 0 if the message names only
 * the type of the value.
 */
export function countPrintedAfterYield(tree: Tree, path: readonly Node[], subject: Node): number {
  if (UNPLACED_AFTER_YIELD.has(tree.kind(subject)) || isLiteral(tree, subject)) return 0;
  let count = 1;
  for (let index = path.length - 1; index > 0; index--) {
    const around = path[index - 1] ?? 0;
    if (FUNCTIONS.has(tree.kind(around))) break;
    const after = tree.end(path[index] ?? 0);
    count += listVisitedChildren(tree, around).filter((child) => tree.start(child) >= after).length;
  }
  return count;
}

function listVisitedChildren(tree: Tree, node: Node): readonly Node[] {
  const places = childPlaces[tree.kind(node)] ?? [];
  const children = places.flatMap((place) =>
    place > 0 ? [tree.child(node, place)] : tree.list(node, -place),
  );
  return children.filter((child) => child !== 0 && isVisited(tree, child));
}

/** True if V8's syntax tree has a node for the statement. */
export function isVisited(tree: Tree, statement: Node): boolean {
  return !UNVISITED.has(tree.kind(statement));
}

/**
 * Returns what V8's message prints for the operand of a `for await` that is not iterable; null if the message names only the operand's
 * type.
 */
export function printSubject(tree: Tree, subject: Node): string | null {
  if (UNPLACED.has(tree.kind(subject))) return null;
  const text = foldLiteral(tree, subject) ?? printNode(tree, subject);
  return text.length > MAX_LENGTH ? INTERMEDIATE : text;
}

/** True for a literal, for which the parsers have several node kinds. */
function isLiteral(tree: Tree, node: Node): boolean {
  const nodeKind = tree.kind(node);
  return nodeKind >= kind.Literal && nodeKind <= kind.StringLiteral;
}

/** Returns the text that V8 prints for a literal, after V8 has applied signs and `!`; undefined for other expressions. */
function foldLiteral(tree: Tree, node: Node): string | undefined {
  const value = readLiteral(tree, node);
  if (value !== undefined) return String(value);
  if (tree.kind(node) !== kind.ObjectExpression) return undefined;
  const properties = listVisitedChildren(tree, node);
  const areLiterals =
    /^\{[^[(`]*\}$/.test(tree.text(node)) && properties.every((one) => hasLiteral(tree, one));
  return areLiterals ? `{${INTERMEDIATE.repeat(properties.length)}}` : undefined;
}

/** True for a property whose value is a literal. For other properties, V8 prints another message. */
function hasLiteral(tree: Tree, property: Node): boolean {
  const value = listVisitedChildren(tree, property).at(-1);
  return value !== undefined && isLiteral(tree, value);
}

const NUMBER = /^(?:\d[\d_]*\.?[\d_]*(?:e[+-]?\d+)?|\.\d[\d_]*(?:e[+-]?\d+)?|0[xob][\da-f_]+)$/i;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function readLiteral(tree: Tree, node: Node): number | boolean | null | undefined {
  if (tree.kind(node) === kind.UnaryExpression) {
    const place = childPlaces[kind.UnaryExpression]?.[0] ?? 0;
    const value = readLiteral(tree, tree.child(node, place));
    if (value === undefined) return undefined;
    const sign = tree.text(node)[0];
    if (sign === '!') return !value;
    if (typeof value !== 'number') return undefined;
    return sign === '-' ? -value : sign === '+' ? value : sign === '~' ? ~value : undefined;
  }
  if (!isLiteral(tree, node)) return undefined;
  const text = tree.text(node);
  return NUMBER.test(text) ? Number(text.replaceAll('_', '')) : WORDS.get(text);
}

function printNode(tree: Tree, node: Node): string {
  if (isLiteral(tree, node)) return printLiteral(tree.text(node));
  switch (tree.kind(node)) {
    case kind.Identifier:
      return tree.name(node);
    case kind.ThisExpression:
      return 'this';
    case kind.CallExpression:
      return `${printNode(tree, tree.child(node, slot.call.callee))}(...)`;
    case kind.TaggedTemplateExpression:
      return `${printNode(tree, tree.child(node, slot.first))}(...)`;
    case kind.MemberExpression:
      return printMember(tree, node);
    case kind.FunctionExpression:
      return printFunction(tree, tree.child(node, slot.function.body));
    case kind.ArrowFunctionExpression:
      return printFunction(tree, tree.child(node, slot.arrow.body));
    case kind.SequenceExpression:
      return `(${tree
        .list(node, slot.first)
        .map((one) => printNode(tree, one))
        .join(' , ')})`;
    case kind.AssignmentExpression:
      return printNode(tree, tree.child(node, slot.assignment.left));
    case kind.ArrayExpression:
      return `[${tree
        .list(node, slot.first)
        .map((item) => (item === 0 ? INTERMEDIATE : printNode(tree, item)))
        .join(',')}]`;
    case kind.SpreadElement:
      return `(...${printNode(tree, tree.child(node, slot.first))})`;
    case kind.ObjectExpression:
      return `{${INTERMEDIATE.repeat(listVisitedChildren(tree, node).length)}}`;
    default:
      return INTERMEDIATE;
  }
}

/** V8 prints numbers in decimal, and `(intermediate value)` in place of a bigint. */
function printLiteral(text: string): string {
  if (NUMBER.test(text)) return String(Number(text.replaceAll('_', '')));
  return /^\d\w*n$/.test(text) ? INTERMEDIATE : text;
}

/** Prints a function: `(intermediate value)`, once for each statement in the body. */
function printFunction(tree: Tree, body: Node): string {
  if (tree.kind(body) !== kind.BlockStatement) return INTERMEDIATE;
  const statements = tree.list(body, slot.first).filter((statement) => isVisited(tree, statement));
  return INTERMEDIATE.repeat(Math.max(1, statements.length));
}

function printMember(tree: Tree, member: Node): string {
  const object = printNode(tree, tree.child(member, slot.member.object));
  const key = tree.child(member, slot.member.property);
  if (!tree.flag(member, flag.member.computed)) return `${object}.${tree.name(key)}`;
  const name = /^(["'])(?!\d+\1)([^\\]*)\1$/.exec(tree.text(key))?.[2];
  return name === undefined ? `${object}[${printNode(tree, key)}]` : `${object}.${name}`;
}
