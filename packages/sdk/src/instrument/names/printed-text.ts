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

/** V8 prints `(intermediate value)` in place of a longer text. */
const MAX_LENGTH = 200;

/** Expressions for which V8 stores no source position. In messages about such an expression, V8 names only the type of the value. */
const UNPLACED: ReadonlySet<number> = new Set([kind.ConditionalExpression, kind.ChainExpression]);

/** Expressions that call a function. If V8 places an error at such an expression, its value can be at fault, or the function. */
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

/** V8 has no limit. A longer text is cut off, because it would be inserted into the code for each `yield*`. */
const MAX_AFTER_YIELD = 500;
const NOTHING: PrintedAfterYield = { text: '', times: 0 };

/**
 * Returns what V8's message prints after `yield* ` for an operand that is not iterable: `(intermediate value)` for the operand, and all
 * that follows the operand in its function, from the last node of `path` outwards.
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
  let text = INTERMEDIATE;
  for (let index = path.length - 1; index > 0; index--) {
    const around = path[index - 1] ?? 0;
    if (FUNCTIONS.has(tree.kind(around))) break;
    text += printRest(tree, printer, around, path[index] ?? 0, path[index - 2] ?? 0);
  }
  let times = 0;
  while (text.endsWith(INTERMEDIATE)) {
    text = text.slice(0, -INTERMEDIATE.length);
    times++;
  }
  return { text: text.slice(0, MAX_AFTER_YIELD), times };
}

/** Returns the value of `null ?? value`: V8 omits the `null`. */
function skipNull(tree: Tree, node: Node): Node {
  if (tree.kind(node) !== kind.LogicalExpression || readOperator(tree, node) !== '??') return node;
  const left = tree.text(skipNull(tree, tree.child(node, slot.binary.left)));
  return left === 'null' ? skipNull(tree, tree.child(node, slot.binary.right)) : node;
}

/** Returns what V8 prints of a node after the node's child `inner`. */
function printRest(tree: Tree, printer: ExpressionPrinter, around: Node, inner: Node, outer: Node): string {
  const after = tree.end(inner);
  const rest = listVisitedChildren(tree, around).filter((child) => tree.start(child) >= after);
  const children = INTERMEDIATE.repeat(rest.length);
  switch (tree.kind(around)) {
    case kind.MemberExpression:
      return tree.child(around, slot.member.object) === inner ? printer.printKey(around) : ']';
    case kind.CallExpression:
      return tree.child(around, slot.call.callee) === inner ? printer.printArguments() : children;
    case kind.TaggedTemplateExpression:
      return tree.child(around, slot.first) === inner ? printer.printArguments() : children;
    case kind.NewExpression:
      return tree.child(around, slot.new.callee) === inner ? '' : children;
    case kind.BinaryExpression:
    case kind.LogicalExpression:
      return (
        (rest.length === 0 ? '' : printer.printRight(around)) + (isChained(tree, around, outer) ? '' : ')')
      );
    case kind.ConditionalExpression:
      return INTERMEDIATE.repeat(rest.length === 0 ? 0 : countParts(tree, around) + rest.length - 3);
    case kind.TemplateLiteral:
      return printer.printList(rest, '');
    case kind.ArrayExpression: {
      const items = listItems(tree, around);
      const following = items.slice(items.indexOf(inner) + 1);
      return `${following.map((item) => `,${printer.printList([item], '')}`).join('')}]`;
    }
    case kind.SequenceExpression:
      return `${rest.map((one) => ` , ${printer.print(one)}`).join('')})`;
    case kind.UnaryExpression:
    case kind.SpreadElement:
      return ')';
    case kind.ObjectExpression:
      return `${children}}`;
    default:
      return children;
  }
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
