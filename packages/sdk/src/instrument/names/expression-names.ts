import { isComputed } from '../analyze/patterns.ts';
import { flag, kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

export const maxCallee = 60;

/**
 * Formats an expression as a name: `router.post`, `fetchOrder().then`, `this.pool.query`. Returns null if the name would be meaningless.
 */
export function formatExpressionName(tree: Tree, node: Node): string | null {
  const name = node === 0 ? null : formatLongName(tree, node);
  return name === null || name.length <= maxCallee ? name : `…${name.slice(-maxCallee)}`;
}

function formatLongName(tree: Tree, node: Node): string | null {
  switch (tree.kind(node)) {
    case kind.Identifier:
      return tree.authorsName(node);
    case kind.ThisExpression:
      return 'this';
    case kind.Super:
      return 'super';
    case kind.ChainExpression:
      return formatExpressionName(tree, tree.child(node, slot.first));
    case kind.CallExpression: {
      const callee = formatExpressionName(tree, tree.child(node, slot.call.callee));
      return callee === null ? null : `${callee}()`;
    }
    case kind.NewExpression: {
      const callee = formatExpressionName(tree, tree.child(node, slot.new.callee));
      return callee === null ? null : `new ${callee}()`;
    }
    // Compilers call an imported function as (0, pay_1.pay)().
    case kind.SequenceExpression: {
      const [zero = 0, called = 0, ...more] = tree.list(node, slot.first);
      return more.length === 0 && tree.text(zero) === '0' ? formatExpressionName(tree, called) : null;
    }
    case kind.MemberExpression: {
      const key = readExpressionKey(tree, node);
      const imported = findImportedName(tree, tree.child(node, slot.member.object), key);
      if (imported !== null) return imported;
      const object = formatExpressionName(tree, tree.child(node, slot.member.object));
      return key === null ? object : object === null ? key : `${object}.${key}`;
    }
    default:
      return null;
  }
}

/**
 * Returns the author's name of an export (`exports.pay`), or of an import that TypeScript, Babel or esbuild renamed to `pay_1.pay`,
 * `_pay.default` or `import_pay.pay`. Returns null for other expressions.
 */
function findImportedName(tree: Tree, object: Node, key: string | null): string | null {
  if (key === null || tree.kind(object) !== kind.Identifier) return null;
  const variable = tree.name(object);
  if (variable === 'exports') return key;
  const own = /^(?:import_(?<esbuild>[\w$]+)|_(?<babel>[\w$]+)|(?<typescript>[\w$]+?)_\d+)$/.exec(
    variable,
  )?.groups;
  if (own === undefined || !isRequired(tree.source, variable)) return null;
  return key === 'default' ? (own.esbuild ?? own.babel ?? own.typescript ?? null) : key;
}

const REQUIRED = /^(?:[\w$.]*(?:__import\w+|__toESM|_interop\w+)\(|\(0, ?\w+\._interop\w+\)\()?require\(/;

function isRequired(source: string, variable: string): boolean {
  const start = ` ${variable} = `;
  const at = source.indexOf(start);
  return at >= 0 && REQUIRED.test(source.slice(at + start.length, at + start.length + 200));
}

/** Returns the key of `object.key`, `object.#key` or `object['key']`; null for any other key in brackets. */
export function readExpressionKey(tree: Tree, member: Node): string | null {
  const property = tree.child(member, slot.member.property);
  if (tree.flag(member, flag.member.computed)) return readStringValue(tree, property);
  return tree.name(property);
}

/** Returns the text between the quotes of a string node; null for any other node. */
export function readStringValue(tree: Tree, node: Node): string | null {
  if (node === 0 || tree.kind(node) !== kind.StringLiteral) return null;
  const quoted = tree.text(node);
  return quoted.slice(1, -1);
}

/** Returns the name of a class's or an object's member; null if the name is known only at run time. */
export function readKeyName(tree: Tree, member: Node, place: number): string | null {
  const key = tree.child(member, place);
  if (key === 0) return null;
  switch (tree.kind(key)) {
    case kind.StringLiteral:
      return readStringValue(tree, key);
    case kind.PrivateIdentifier:
      return tree.name(key);
    case kind.Identifier:
      if (!isComputed(tree, member)) return tree.name(key);
  }
  // The key is a number, or computed as in [Symbol.iterator]() {}.
  if (!isComputed(tree, member)) return tree.text(key);
  const name = formatExpressionName(tree, key);
  return name === null ? null : `[${name}]`;
}
