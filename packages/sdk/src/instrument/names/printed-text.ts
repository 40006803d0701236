import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import {
  countParts,
  ExpressionPrinter,
  INTERMEDIATE,
  isChained,
  listItems,
  listVisitedChildren,
} from './expression-printer.ts';
import { isLiteral, readLiteral, readOperator } from './literal-values.ts';

/** V8 prints `(intermediate value)` in place of a text with more characters than this. */
const MAX_LENGTH = 200;

/** Expressions for which V8 stores no source position. In messages about such an expression, V8 names only the type of the value. */
const UNPLACED: ReadonlySet<number> = new Set([kind.ConditionalExpression, kind.ChainExpression]);

/**
 * Expressions that call a function. If V8 places an error at such an expression, either the result or the called function can be at fault.
 */
const CALLS: ReadonlySet<number> = new Set([
  kind.CallExpression,
  kind.NewExpression,
  kind.TaggedTemplateExpression,
]);

const FUNCTIONS: ReadonlySet<number> = new Set([
  kind.FunctionDeclaration,
  kind.FunctionExpression,
  kind.ArrowFunctionExpression,
]);

/** Nodes that V8's messages do not print after `yield*`. In a `for` head, the messages print these nodes, except {@link UNPLACED}. */
const UNPLACED_AFTER_YIELD: ReadonlySet<number> = new Set([
  kind.Identifier,
  kind.ThisExpression,
  kind.ObjectExpression,
  kind.ArrowFunctionExpression,
  kind.FunctionExpression,
  kind.ClassExpression,
  kind.MetaProperty,
]);

/**
 * The text that V8's message prints after `yield* `, and the number of times that `(intermediate value)` follows the text. The text is
 * empty and the number is 0 if V8 prints nothing.
 */
export interface PrintedAfterYield {
  readonly text: string;
  readonly times: number;
}

/**
 * Limits of {@link PrintedAfterYield}; V8 has none. A longer text is cut off, because the text is inserted into the code for each `yield*`,
 * and printing a long text for each of many `yield*` would take quadratic time.
 */
const MAX_AFTER_YIELD = { characters: 500, times: 500 } as const;
const NOTHING: PrintedAfterYield = { text: '', times: 0 };

/**
 * Returns what V8's message prints after `yield* ` for an operand that is not iterable. This is `(intermediate value)` for the operand, and
 * then the text for all nodes after the operand in its function, from the last node of `path` outwards.
 */
export function printAfterYield(
  tree: Tree,
  path: readonly Node[],
  subject: Node,
  isAsync: boolean,
): PrintedAfterYield {
  const operand = skipNull(tree, subject);
  if (isUnplaced(tree, operand) || UNPLACED_AFTER_YIELD.has(tree.kind(operand))) return NOTHING;
  if (isLiteral(tree, operand) || readLiteral(tree, operand) !== undefined) return NOTHING;
  const printer = new ExpressionPrinter(tree, isAsync);
  const kept = new KeptText();
  kept.add(1);
  for (let index = path.length - 1; index > 0; index--) {
    const around = path[index - 1] ?? 0;
    if (FUNCTIONS.has(tree.kind(around))) break;
    for (const part of printRest(tree, printer, around, path[index] ?? 0, path[index - 2] ?? 0)) {
      kept.add(part);
      if (kept.isFull) return kept.read();
    }
  }
  return kept.read();
}

/** A text, or the number of times that `(intermediate value)` is printed. */
type Printed = string | number;

/** Collects printed parts until the limits {@link MAX_AFTER_YIELD} are reached. */
class KeptText {
  private text = '';
  private times = 0;

  get isFull(): boolean {
    return this.text.length >= MAX_AFTER_YIELD.characters || this.times >= MAX_AFTER_YIELD.times;
  }

  add(part: Printed): void {
    if (typeof part === 'number') {
      this.times += part;
      return;
    }
    let end = part.length;
    while (part.endsWith(INTERMEDIATE, end)) end -= INTERMEDIATE.length;
    if (end > 0) {
      this.text += INTERMEDIATE.repeat(this.times) + part.slice(0, end);
      this.times = 0;
    }
    this.times += (part.length - end) / INTERMEDIATE.length;
  }

  read(): PrintedAfterYield {
    const { characters, times } = MAX_AFTER_YIELD;
    if (this.text.length >= characters) return { text: this.text.slice(0, characters), times: 0 };
    return { text: this.text, times: Math.min(this.times, times) };
  }
}

/** For each node, the children that V8's syntax tree also has, in source order. Cached, because one node can be around many `yield*`. */
const visitedChildren = new WeakMap<Tree, Map<Node, readonly Node[]>>();
const arrayItems = new WeakMap<Tree, Map<Node, ReadonlyMap<Node, number>>>();

function remember<Found>(
  known: WeakMap<Tree, Map<Node, Found>>,
  tree: Tree,
  node: Node,
  read: () => Found,
): Found {
  const ofTree = known.get(tree) ?? new Map<Node, Found>();
  known.set(tree, ofTree);
  const found = ofTree.get(node) ?? read();
  ofTree.set(node, found);
  return found;
}

/** Lists the children of a node that V8 visits, and returns the index of the first child that begins at or after a position. */
function findRest(
  tree: Tree,
  around: Node,
  after: number,
): { readonly children: readonly Node[]; readonly from: number } {
  const children = remember(visitedChildren, tree, around, () =>
    [...listVisitedChildren(tree, around)].sort((a, b) => tree.start(a) - tree.start(b)),
  );
  let [from, end] = [0, children.length];
  while (from < end) {
    const middle = (from + end) >> 1;
    if (tree.start(children[middle] ?? 0) < after) from = middle + 1;
    else end = middle;
  }
  return { children, from };
}

/** Returns the value of `null ?? value`: V8 omits the `null`. */
function skipNull(tree: Tree, node: Node): Node {
  if (tree.kind(node) !== kind.LogicalExpression || readOperator(tree, node) !== '??') return node;
  const left = tree.text(skipNull(tree, tree.child(node, slot.binary.left)));
  return left === 'null' ? skipNull(tree, tree.child(node, slot.binary.right)) : node;
}

/** Yields the parts of a node that V8 prints after the node's child `inner`. */
function* printRest(
  tree: Tree,
  printer: ExpressionPrinter,
  around: Node,
  inner: Node,
  outer: Node,
): Generator<Printed, void> {
  const { children, from } = findRest(tree, around, tree.end(inner));
  const count = children.length - from;
  switch (tree.kind(around)) {
    case kind.MemberExpression:
      return yield tree.child(around, slot.member.object) === inner ? printer.printKey(around) : ']';
    case kind.CallExpression:
      return yield tree.child(around, slot.call.callee) === inner ? printer.printArguments() : count;
    case kind.TaggedTemplateExpression:
      return yield tree.child(around, slot.first) === inner ? printer.printArguments() : count;
    case kind.NewExpression:
      return yield tree.child(around, slot.new.callee) === inner ? '' : count;
    case kind.BinaryExpression:
    case kind.LogicalExpression:
      if (count > 0) yield printer.printRight(around);
      return yield isChained(tree, around, outer) ? '' : ')';
    case kind.ConditionalExpression:
      return yield count === 0 ? 0 : countParts(tree, around) + count - 3;
    case kind.TemplateLiteral:
      for (let at = from; at < children.length; at++) yield printer.print(children[at] ?? 0);
      return;
    case kind.ArrayExpression: {
      const length = tree.count(around, slot.first);
      for (let at = findItem(tree, around, inner) + 1; at < length; at++)
        yield `,${printer.printList([tree.item(around, slot.first, at)], '')}`;
      return yield ']';
    }
    case kind.SequenceExpression:
      for (let at = from; at < children.length; at++) yield ` , ${printer.print(children[at] ?? 0)}`;
      return yield ')';
    case kind.UnaryExpression:
    case kind.SpreadElement:
      return yield ')';
    case kind.ObjectExpression:
      yield count;
      return yield '}';
    default:
      yield count;
  }
}

function findItem(tree: Tree, array: Node, item: Node): number {
  const indexes = remember(
    arrayItems,
    tree,
    array,
    () => new Map(listItems(tree, array).map((each, index) => [each, index])),
  );
  return indexes.get(item) ?? -1;
}

/**
 * Returns what V8's message prints for the operand of a `for await` that is not iterable; null if the message names only the operand's
 * type.
 */
export function printSubject(tree: Tree, subject: Node): string | null {
  if (isUnplaced(tree, subject)) return null;
  const text = printLiterals(tree, subject) ?? new ExpressionPrinter(tree, true).print(subject);
  const printed = text.length > MAX_LENGTH ? INTERMEDIATE : text;
  return CALLS.has(tree.kind(subject)) ? `${printed} is not a function or its return value` : printed;
}

function isUnplaced(tree: Tree, node: Node): boolean {
  switch (tree.kind(node)) {
    case kind.LogicalExpression:
      return readOperator(tree, node) !== '??';
    case kind.SequenceExpression:
      return tree.count(node, slot.first) > 2 || isUnplaced(tree, tree.item(node, slot.first, 1));
    default:
      return UNPLACED.has(tree.kind(node));
  }
}

/** Prints an object of literals, for which V8 prints another message than for other objects. Returns undefined for other expressions. */
function printLiterals(tree: Tree, node: Node): string | undefined {
  if (tree.kind(node) !== kind.ObjectExpression) return undefined;
  const properties = listVisitedChildren(tree, node);
  const areLiterals =
    /^\{[^[(`]*\}$/.test(tree.text(node)) && properties.every((one) => hasLiteral(tree, one));
  return areLiterals ? `{${INTERMEDIATE.repeat(properties.length)}}` : undefined;
}

function hasLiteral(tree: Tree, property: Node): boolean {
  const value = listVisitedChildren(tree, property).at(-1);
  return value !== undefined && isLiteral(tree, value);
}
