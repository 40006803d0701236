import type { Analysis } from './analyze/analysis.ts';
import { kind, slot } from './parsers/layout.ts';
import type { ModuleKind } from './parsers/parser.ts';
import type { Node, Tree } from './parsers/tree.ts';

const DEFAULT_NAME = '__tl_default';
const anonymousDefault = /^export\s+default\s+(async\s+)?(function|class)\b(\s*\*)?/;
const defaultExpression = /^export\s+default\b/;

interface Mask {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Replaces the parts of a module's source that are a syntax error in a function (imports, exports, `import.meta`), so that V8 can check
 * the module by compiling it as the body of a function. All other code keeps its positions. Returns null for a CommonJS source without such
 * statements.
 */
export function maskModuleSyntax({ tree, importMetas }: Analysis, moduleKind: ModuleKind): string | null {
  const masks: Mask[] = [];
  const count = tree.count(0, slot.first);
  for (let index = 0; index < count; index++) {
    const mask = maskStatement(tree, tree.item(0, slot.first, index));
    if (mask !== null) masks.push(mask);
  }
  if (masks.length === 0 && moduleKind === 'commonjs') return null;
  for (const node of importMetas) masks.push({ start: tree.start(node), end: tree.end(node), text: 'this' });
  const { source } = tree;
  if (source.startsWith('#!')) masks.push({ start: 0, end: 2, text: '//' });
  return overwrite(source, masks);
}

/** Masks a statement that only a module may contain: all of it, or only `export` before a declaration. */
function maskStatement(tree: Tree, statement: Node): Mask | null {
  const start = tree.start(statement);
  switch (tree.kind(statement)) {
    case kind.ImportDeclaration:
    case kind.ExportAllDeclaration:
      return { start, end: tree.end(statement), text: ';' };
    case kind.ExportNamedDeclaration: {
      const declaration = tree.child(statement, slot.exportNamed.declaration);
      return { start, end: declaration === 0 ? tree.end(statement) : tree.start(declaration), text: ';' };
    }
    case kind.ExportDefaultDeclaration:
      return maskDefault(tree, start, tree.child(statement, slot.first));
    default:
      return null;
  }
}

/**
 * Masks `export default`, and the `function` or `class` after it if the declaration has no name. Returns null if a comment between these
 * words prevents the match.
 */
function maskDefault(tree: Tree, start: number, exported: Node): Mask | null {
  const isFunction = tree.kind(exported) === kind.FunctionDeclaration;
  const isDeclaration = isFunction || tree.kind(exported) === kind.ClassDeclaration;
  const id = isFunction ? slot.function.id : slot.class.id;
  if (isDeclaration && tree.child(exported, id) !== 0) return { start, end: tree.start(exported), text: ';' };
  const head = tree.source.slice(start, start + 200);
  if (isDeclaration) {
    const [found, async = '', keyword = '', star = ''] = anonymousDefault.exec(head) ?? [];
    if (found === undefined) return null;
    const text = `;${async && 'async '}${keyword}${star && '*'} ${DEFAULT_NAME}`;
    return { start, end: start + found.length, text };
  }
  const [found] = defaultExpression.exec(head) ?? [];
  return found === undefined ? null : { start, end: start + found.length, text: `;${DEFAULT_NAME}=` };
}

function overwrite(source: string, masks: readonly Mask[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of [...masks].sort((a, b) => a.start - b.start)) {
    parts.push(source.slice(from, start), text.padEnd(end - start));
    from = end;
  }
  parts.push(source.slice(from));
  return parts.join('');
}
