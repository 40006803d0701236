import { childPlaces, kind, slot, words } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { listPatternNames } from './patterns.ts';

/** Returns why a function must not be instrumented; null if instrumenting is possible. */
export function findReasonToSkip(
  tree: Tree,
  node: Node,
  parent: Node,
  withAccessors: boolean,
): string | null {
  if (!withAccessors && isAccessor(tree, node, parent)) return 'it is an accessor';
  if (tree.kind(node) === kind.ArrowFunctionExpression)
    return findClash(tree, tree.child(node, slot.arrow.body));
  return findClash(tree, tree.child(node, slot.function.body)) ?? findParameterClash(tree, node);
}

/**
 * Returns why a function must not be instrumented: it declares an inner function with a parameter's name, and uses `arguments` or `eval`.
 * In sloppy mode `arguments` contains the inner function. The `try` around an instrumented body would make the inner function block-scoped,
 * and `arguments` would keep the passed value.
 */
function findParameterClash(tree: Tree, node: Node): string | null {
  const body = tree.child(node, slot.function.body);
  const count = tree.count(body, slot.first);
  for (let index = 0; index < count; index++) {
    const statement = withoutLabels(tree, tree.item(body, slot.first, index));
    if (tree.kind(statement) !== kind.FunctionDeclaration) continue;
    const name = readDeclaredName(tree, statement);
    const isParameter = tree
      .list(node, slot.function.params)
      .some((parameter) => tree.kind(parameter) === kind.Identifier && tree.name(parameter) === name);
    if (isParameter && /\b(?:arguments|eval)\b/.test(tree.text(body)))
      return `it declares its parameter ${name} as a function too`;
  }
  return null;
}

function isAccessor(tree: Tree, node: Node, parent: Node): boolean {
  const places =
    tree.kind(parent) === kind.MethodDefinition
      ? slot.method
      : tree.kind(parent) === kind.Property
        ? slot.property
        : null;
  if (places === null || tree.child(parent, places.value) !== node) return false;
  const word = tree.child(parent, places.kind);
  return word === words.get || word === words.set;
}

/**
 * Returns why a body must not be instrumented: it declares a function named `arguments`, or declares the name of one of its functions again
 * as a function or a `var`. The `try` around an instrumented body makes the body's functions block-scoped, so the second declaration would
 * be a syntax error or a separate variable. Functions in inner blocks count too, because sloppy mode hoists them.
 */
function findClash(tree: Tree, body: Node): string | null {
  if (tree.kind(body) !== kind.BlockStatement) return null;
  let functions: Set<string> | null = null;
  const count = tree.count(body, slot.first);
  for (let index = 0; index < count; index++) {
    const statement = withoutLabels(tree, tree.item(body, slot.first, index));
    if (tree.kind(statement) !== kind.FunctionDeclaration) continue;
    const name = readDeclaredName(tree, statement);
    functions ??= new Set();
    if (functions.has(name) || name === 'arguments') return `it declares the function ${name} in two ways`;
    functions.add(name);
  }
  if (functions === null) return null;
  for (let index = 0; index < count; index++) {
    const statement = withoutLabels(tree, tree.item(body, slot.first, index));
    if (tree.kind(statement) === kind.FunctionDeclaration) continue;
    const found = findDeclared(tree, statement, functions);
    if (found !== null) return `it declares ${found} as a function and in another way`;
  }
  return null;
}

function withoutLabels(tree: Tree, statement: Node): Node {
  let inner = statement;
  while (tree.kind(inner) === kind.LabeledStatement) inner = tree.child(inner, slot.labeled.body);
  return inner;
}

const readDeclaredName = (tree: Tree, declaration: Node): string =>
  tree.name(tree.child(declaration, slot.function.id));

const statementKinds: ReadonlySet<number> = new Set([
  kind.BlockStatement,
  kind.IfStatement,
  kind.ForStatement,
  kind.ForInStatement,
  kind.ForOfStatement,
  kind.WhileStatement,
  kind.DoWhileStatement,
  kind.LabeledStatement,
  kind.SwitchStatement,
  kind.SwitchCase,
  kind.TryStatement,
  kind.CatchClause,
  kind.WithStatement,
]);

/** Finds a `var` or a function with one of `names` in a statement, ignoring nested functions. */
function findDeclared(tree: Tree, node: Node, names: ReadonlySet<string>): string | null {
  const nodeKind = tree.kind(node);
  if (nodeKind === kind.VariableDeclaration) return findVarNamed(tree, node, names);
  if (nodeKind === kind.FunctionDeclaration) {
    const name = readDeclaredName(tree, node);
    return names.has(name) ? name : null;
  }
  if (!statementKinds.has(nodeKind)) return null;
  for (const place of childPlaces[nodeKind] ?? []) {
    const inner = place > 0 ? [tree.child(node, place)] : tree.list(node, -place);
    for (const statement of inner) {
      const found = statement === 0 ? null : findDeclared(tree, statement, names);
      if (found !== null) return found;
    }
  }
  return null;
}

function findVarNamed(tree: Tree, declaration: Node, names: ReadonlySet<string>): string | null {
  if (tree.child(declaration, slot.declaration.kind) !== words.var) return null;
  for (const declarator of tree.list(declaration, slot.declaration.declarations)) {
    for (const name of listPatternNames(tree, tree.child(declarator, slot.declarator.id))) {
      const declared = tree.name(name);
      if (names.has(declared)) return declared;
    }
  }
  return null;
}
