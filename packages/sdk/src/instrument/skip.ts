import { childPlaces, kind, slot, words } from './layout.ts';
import { patternNames } from './patterns.ts';
import type { Node, Tree } from './tree.ts';

/** Why a function must be left as it is, or null. */
export function reasonToSkip(tree: Tree, node: Node, parent: Node, withAccessors: boolean): string | null {
  if (!withAccessors && isAccessor(tree, node, parent)) return 'it is an accessor';
  return tree.kind(node) === kind.ArrowFunctionExpression
    ? clash(tree, tree.child(node, slot.arrow.body))
    : clash(tree, tree.child(node, slot.function.body));
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
 * Inside the `try` that is put around a body, its functions become a block's: a second one of the same name, or a `var` of that name anywhere
 * in the body, would then be a syntax error.
 */
function clash(tree: Tree, body: Node): string | null {
  if (tree.kind(body) !== kind.BlockStatement) return null;
  let functions: Set<string> | null = null;
  const count = tree.count(body, slot.first);
  for (let index = 0; index < count; index++) {
    const statement = tree.item(body, slot.first, index);
    if (tree.kind(statement) !== kind.FunctionDeclaration) continue;
    const name = tree.name(tree.child(statement, slot.function.id));
    functions ??= new Set();
    if (functions.has(name) || name === 'arguments') return `it declares the function ${name} in two ways`;
    functions.add(name);
  }
  const clashing = functions === null ? null : findVar(tree, body, functions);
  return clashing === null ? null : `it declares ${clashing} as a function and as a variable`;
}

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

/** A `var` of one of these names, functions inside not looked into. */
function findVar(tree: Tree, node: Node, names: ReadonlySet<string>): string | null {
  const nodeKind = tree.kind(node);
  if (nodeKind === kind.VariableDeclaration) return varNamed(tree, node, names);
  if (!statementKinds.has(nodeKind)) return null;
  for (const place of childPlaces[nodeKind] ?? []) {
    const inner = place > 0 ? [tree.child(node, place)] : tree.list(node, -place);
    for (const statement of inner) {
      const found = statement === 0 ? null : findVar(tree, statement, names);
      if (found !== null) return found;
    }
  }
  return null;
}

function varNamed(tree: Tree, declaration: Node, names: ReadonlySet<string>): string | null {
  if (tree.child(declaration, slot.declaration.kind) !== words.var) return null;
  for (const declarator of tree.list(declaration, slot.declaration.declarations)) {
    for (const name of patternNames(tree, tree.child(declarator, slot.declarator.id))) {
      const declared = tree.name(name);
      if (names.has(declared)) return declared;
    }
  }
  return null;
}
