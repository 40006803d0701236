import { childPlaces, flag, kind, slot, words } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { isLiteral, readLiteral, readOperator } from './literal-values.ts';

/** The text that V8's messages print in place of an expression that V8 does not write out. */
export const INTERMEDIATE = '(intermediate value)';

const UNVISITED: ReadonlySet<number> = new Set([
  kind.Directive,
  kind.FunctionDeclaration,
  kind.EmptyStatement,
]);

/** True if V8's syntax tree has a node for the statement. */
export function isVisited(tree: Tree, statement: Node): boolean {
  return !UNVISITED.has(tree.kind(statement));
}

export function listVisitedChildren(tree: Tree, node: Node): readonly Node[] {
  const places = childPlaces[tree.kind(node)] ?? [];
  const children = places.flatMap((place) =>
    place > 0 ? [tree.child(node, place)] : tree.list(node, -place),
  );
  return children.filter((child) => child !== 0 && isVisited(tree, child));
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '===', '<', '>', '<=', '>=', 'in', 'instanceof']);
const UNARY = /^(?:typeof|void|delete|[-+!~])/;
/** Matches the text before a function that seems to be called where it is written. V8 parses the body of such a function immediately. */
const CALLED = /[(!]\s*$/;

/** Prints expressions as V8's error messages do. */
export class ExpressionPrinter {
  private readonly tree: Tree;
  private readonly printsCalls: boolean;

  /**
   * `printsCalls` is true for messages about `for await`, and about `yield*` in an async generator: V8 prints a call as `f(...)`, and
   * `new F()` as `(intermediate value)`. It is false for messages about `yield*` in other generators: V8 prints only the callee of both.
   */
  constructor(tree: Tree, printsCalls: boolean) {
    this.tree = tree;
    this.printsCalls = printsCalls;
  }

  print(node: Node): string {
    return this.printOwn(node) || INTERMEDIATE;
  }

  private printChild(node: Node, place: number): string {
    return this.print(this.tree.child(node, place));
  }

  /** Returns an empty string for an expression that V8 does not write out. */
  private printOwn(node: Node): string {
    const { tree } = this;
    const value = readLiteral(tree, node);
    if (value !== undefined) return typeof value === 'string' ? `"${value}"` : String(value);
    // V8 does not write out a bigint.
    if (isLiteral(tree, node)) return tree.text(node).startsWith('/') ? tree.text(node) : '';
    switch (tree.kind(node)) {
      case kind.Identifier:
        return tree.name(node);
      case kind.ThisExpression:
        return 'this';
      case kind.CallExpression:
        return this.printChild(node, slot.call.callee) + this.printArguments();
      case kind.TaggedTemplateExpression:
        return this.printChild(node, slot.first) + this.printArguments();
      case kind.NewExpression:
        return this.printsCalls ? '' : this.printChild(node, slot.new.callee);
      case kind.MemberExpression:
        return this.printChild(node, slot.member.object) + this.printKey(node);
      case kind.FunctionExpression:
        return CALLED.test(tree.source.slice(Math.max(0, tree.start(node) - 8), tree.start(node)))
          ? this.printBody(tree.child(node, slot.function.body))
          : '';
      case kind.ArrowFunctionExpression:
        return this.printBody(tree.child(node, slot.arrow.body));
      case kind.ClassExpression:
        return this.printClass(node);
      case kind.ConditionalExpression:
        return INTERMEDIATE.repeat(countParts(tree, node));
      case kind.UnaryExpression:
        return this.printUnary(node);
      case kind.UpdateExpression:
        return this.printUpdate(node);
      case kind.BinaryExpression:
      case kind.LogicalExpression:
        return this.printBinary(node);
      case kind.SequenceExpression:
        return `(${this.printList(tree.list(node, slot.first), ' , ')})`;
      case kind.AssignmentExpression:
        return this.printOwn(tree.child(node, slot.assignment.left));
      case kind.AssignmentPattern:
        return this.printOwn(tree.child(node, slot.assignmentPattern.left));
      case kind.ArrayPattern:
      case kind.ArrayExpression:
        return `[${this.printList(listItems(tree, node), ',')}]`;
      case kind.RestElement:
      case kind.SpreadElement:
        return `(...${this.printChild(node, slot.first)})`;
      case kind.ObjectPattern:
      case kind.ObjectExpression:
        return `{${INTERMEDIATE.repeat(listVisitedChildren(tree, node).length)}}`;
      case kind.TemplateLiteral:
        return this.printList(tree.list(node, slot.template.expressions), '');
      case kind.MetaProperty:
        return tree.text(node).startsWith('new') ? '.new.target' : '';
      default:
        return '';
    }
  }

  printArguments(): string {
    return this.printsCalls ? '(...)' : '';
  }

  /** Prints the key of `object.key` or `object[key]`. */
  printKey(member: Node): string {
    const { tree } = this;
    const key = tree.child(member, slot.member.property);
    const optional = tree.flag(member, flag.member.optional) ? '?' : '';
    if (!tree.flag(member, flag.member.computed)) return `${optional}.${tree.name(key)}`;
    const name = isBinary(tree, key) ? undefined : readLiteral(tree, key);
    if (typeof name === 'string') return `${optional}.${name}`;
    return `${optional === '' ? '' : '?.'}[${this.print(key)}]`;
  }

  /** Prints the operator of a binary expression, and the expression after it. */
  printRight(node: Node): string {
    return ` ${readOperator(this.tree, node)} ${this.printChild(node, slot.binary.right)}`;
  }

  /** Prints expressions; 0 stands for a hole of an array. */
  printList(nodes: readonly Node[], separator: string): string {
    return nodes.map((node) => (node === 0 ? INTERMEDIATE : this.print(node))).join(separator);
  }

  /** Prints a function: `(intermediate value)`, once for each statement in the body. */
  private printBody(body: Node): string {
    const { tree } = this;
    if (tree.kind(body) !== kind.BlockStatement) return INTERMEDIATE;
    const statements = tree.list(body, slot.first).filter((statement) => isVisited(tree, statement));
    return INTERMEDIATE.repeat(statements.length);
  }

  /** Prints a class: `(intermediate value)` for the class that it extends, for each method, and for each private field. */
  private printClass(node: Node): string {
    const { tree } = this;
    const members = tree.list(tree.child(node, slot.class.body), slot.first);
    const extended = tree.child(node, slot.class.superClass) === 0 ? 0 : 1;
    return INTERMEDIATE.repeat(extended + members.filter((member) => isPrinted(tree, member)).length);
  }

  private printUnary(node: Node): string {
    const operator = UNARY.exec(this.tree.text(node))?.[0] ?? '';
    return `(${operator}${operator.length > 1 ? ' ' : ''}${this.printChild(node, slot.unary.argument)})`;
  }

  private printUpdate(node: Node): string {
    const target = this.printChild(node, slot.update.argument);
    const isPrefix = this.tree.flag(node, flag.update.prefix);
    const text = this.tree.text(node);
    return isPrefix ? `(${text.slice(0, 2)}${target})` : `(${target}${text.slice(-2)})`;
  }

  /** Prints `(a + b)`. V8 prints `a != b` as `(!(a == b))`. */
  private printBinary(node: Node): string {
    const operator = readOperator(this.tree, node);
    return operator === '!=' || operator === '!=='
      ? `(!(${this.printOperands(node, operator.replace('!', '='))}))`
      : `(${this.printOperands(node, operator)})`;
  }

  /** Prints `a + b`. For `(a + b) + c`, prints `a + b + c`, because V8 makes one node of such a chain. */
  private printOperands(node: Node, operator: string): string {
    const { tree } = this;
    const left = tree.child(node, slot.binary.left);
    const isChain = isChained(tree, left, node) && readLiteral(tree, left) === undefined;
    const before = isChain ? this.printOperands(left, operator) : this.print(left);
    return `${before} ${operator} ${this.printChild(node, slot.binary.right)}`;
  }
}

/** True if V8 makes one node of `left` and the expression around it, as for `a + b` in `a + b + c`. */
export function isChained(tree: Tree, left: Node, around: Node): boolean {
  if (!isBinary(tree, left) || !isBinary(tree, around)) return false;
  if (tree.child(around, slot.binary.left) !== left) return false;
  const operator = readOperator(tree, around);
  return operator !== '**' && !COMPARISONS.has(operator) && readOperator(tree, left) === operator;
}

function isBinary(tree: Tree, node: Node): boolean {
  return tree.kind(node) === kind.BinaryExpression || tree.kind(node) === kind.LogicalExpression;
}

/** Returns the items of an array, with 0 for each hole. */
export function listItems(tree: Tree, array: Node): Node[] {
  const length = tree.count(array, slot.first);
  return Array.from({ length }, (_, index) => tree.item(array, slot.first, index));
}

function isPrinted(tree: Tree, member: Node): boolean {
  if (tree.kind(member) === kind.PropertyDefinition)
    return tree.kind(tree.child(member, slot.method.key)) === kind.PrivateIdentifier;
  const isMethod = tree.kind(member) === kind.MethodDefinition;
  return isMethod && tree.child(member, slot.method.kind) !== words.constructor;
}

/** Counts the parts of `a ? b : c`. V8 makes one node of a chain such as `a ? b : c ? d : e`, without parentheses. */
export function countParts(tree: Tree, conditional: Node): number {
  const { consequent, alternate } = slot.conditional;
  const otherwise = tree.child(conditional, alternate);
  const between = tree.source.slice(tree.end(tree.child(conditional, consequent)), tree.start(otherwise));
  const isChain = tree.kind(otherwise) === kind.ConditionalExpression && !between.includes('(');
  return 2 + (isChain ? countParts(tree, otherwise) : 1);
}
