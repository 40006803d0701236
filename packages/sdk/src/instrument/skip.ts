import { type AstNode, child, children, patternNames, text } from './ast.ts';

/** Why a function must be left as it is, or null. */
export function reasonToSkip(node: AstNode, parent: AstNode | undefined): string | null {
  const body = child(node, 'body');
  if (body === null) return 'it has no body';
  const kind = parent?.kind;
  if ((kind === 'get' || kind === 'set') && parent?.value === node) return 'it is an accessor';
  if (body.type === 'BlockStatement') return clash(body);
  return null;
}

/**
 * Inside the `try` that is put around a body, its functions become a block's: a second one of the same name, or a `var` of that name anywhere
 * in the body, would then be a syntax error.
 */
function clash(body: AstNode): string | null {
  const functions = new Set<string>();
  for (const statement of children(body, 'body')) {
    const name = statement.type === 'FunctionDeclaration' ? text(child(statement, 'id'), 'name') : null;
    if (name === null) continue;
    if (functions.has(name) || name === 'arguments') return `it declares the function ${name} in two ways`;
    functions.add(name);
  }
  if (functions.size === 0) return null;
  const clashing = findVar(body, functions);
  return clashing === null ? null : `it declares ${clashing} as a function and as a variable`;
}

const statementKeys = [
  'body',
  'block',
  'handler',
  'finalizer',
  'consequent',
  'alternate',
  'init',
  'left',
  'cases',
];

/** A `var` of one of these names, functions inside not looked into. */
function findVar(node: AstNode, names: ReadonlySet<string>): string | null {
  if (node.type === 'VariableDeclaration') {
    if (node.kind !== 'var') return null;
    for (const declarator of children(node, 'declarations')) {
      const pattern = child(declarator, 'id');
      for (const name of pattern === null ? [] : patternNames(pattern)) {
        const declared = text(name, 'name');
        if (declared !== null && names.has(declared)) return declared;
      }
    }
    return null;
  }
  if (!/Statement$|^CatchClause$|^SwitchCase$/.test(node.type)) return null;
  for (const key of statementKeys) {
    const single = child(node, key);
    for (const inner of single === null ? children(node, key) : [single]) {
      const found = findVar(inner, names);
      if (found !== null) return found;
    }
  }
  return null;
}
