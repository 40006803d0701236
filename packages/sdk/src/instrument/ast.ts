/** An ESTree node as far as we rely on it: everything else is looked at before use. */
export interface AstNode {
  readonly type: string;
  /** UTF-16 offsets into the source. */
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function child(node: AstNode, key: string): AstNode | null {
  const value = node[key];
  return isNode(value) ? value : null;
}

/** The nodes of a list; holes of array patterns are left out. */
export function children(node: AstNode, key: string): AstNode[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function text(node: AstNode | null, key: string): string | null {
  const value = node?.[key];
  return typeof value === 'string' ? value : null;
}

/** What a type annotation says never runs. */
const typeOnlyKeys = new Set([
  'parent',
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeArguments',
  'implements',
]);
const runningTypeScript = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'TSExportAssignment',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSParameterProperty',
]);

/** Calls `visit` for each node right below this one that may hold code that runs, in source order. */
export function eachChild(node: AstNode, visit: (inner: AstNode) => void): void {
  if (node.type.startsWith('TS') && !runningTypeScript.has(node.type)) return;
  for (const key in node) {
    const value = node[key];
    if (typeof value !== 'object' || value === null || typeOnlyKeys.has(key)) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item);
    } else if (isNode(value)) visit(value);
  }
}

const transparent = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
]);

/** The expression inside parentheses and type assertions. */
export function unwrap(node: AstNode): AstNode {
  let inner = node;
  while (transparent.has(inner.type)) {
    const next = child(inner, 'expression');
    if (next === null) return inner;
    inner = next;
  }
  return inner;
}

/** Whether assigning this expression to a variable would give it that variable's name. */
export function takesName(node: AstNode): boolean {
  const { type, id } = unwrap(node);
  if (type === 'ArrowFunctionExpression') return true;
  return (type === 'FunctionExpression' || type === 'ClassExpression') && !isNode(id);
}

/** The names that a pattern binds or assigns, in source order; members it assigns to are left out. */
export function patternNames(pattern: AstNode, names: AstNode[] = []): AstNode[] {
  switch (pattern.type) {
    case 'Identifier':
      names.push(pattern);
      break;
    case 'ObjectPattern':
      for (const property of children(pattern, 'properties')) patternNames(property, names);
      break;
    case 'Property':
      visitInner(pattern, 'value', names);
      break;
    case 'ArrayPattern':
      for (const element of children(pattern, 'elements')) patternNames(element, names);
      break;
    case 'AssignmentPattern':
      visitInner(pattern, 'left', names);
      break;
    case 'RestElement':
      visitInner(pattern, 'argument', names);
      break;
    case 'TSParameterProperty':
      visitInner(pattern, 'parameter', names);
      break;
    default: {
      const inner = unwrap(pattern);
      if (inner !== pattern) patternNames(inner, names);
    }
  }
  return names;
}

function visitInner(node: AstNode, key: string, names: AstNode[]): void {
  const inner = child(node, key);
  if (inner !== null) patternNames(inner, names);
}
