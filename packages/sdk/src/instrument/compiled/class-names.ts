import { readStringValue } from '../names/expression-names.ts';
import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { readCalledName } from './emitted-names.ts';

/**
 * True for the constructor of a class compiled for a target below ES2015: `var Shop = (function (_super) { function
 * Shop() { … } … })(Base)`.
 */
export function isCompiledConstructor(tree: Tree, path: readonly Node[], at: number, name: string): boolean {
  if (tree.kind(path[at] ?? 0) !== kind.FunctionDeclaration) return false;
  const call = path[at - 3] ?? 0;
  if (tree.kind(call) !== kind.CallExpression || tree.child(call, slot.call.callee) !== path[at - 2])
    return false;
  for (let holder = at - 4; holder >= 0; holder--) {
    const node = path[holder] ?? 0;
    switch (tree.kind(node)) {
      case kind.VariableDeclarator:
        return isNamed(tree, tree.child(node, slot.declarator.id), name);
      case kind.AssignmentExpression:
        if (isNamed(tree, tree.child(node, slot.assignment.left), name)) return true;
        break;
      default:
        return false;
    }
  }
  return false;
}

function isNamed(tree: Tree, target: Node, name: string): boolean {
  return tree.kind(target) === kind.Identifier && tree.name(target) === name;
}

const CREATE_CLASS = /^_create_?class(?:\$?\d+)?$/i;
const DEFINE_FIELD = /^(?:__publicField|_define_?property)(?:\$?\d+)?$/i;

/**
 * Returns the name of a method that a compiler's helper defines: `_createClass(Shop, [{ key: 'pay', value: function
 * pay() { … } }])`. `at` is the property's index in the path.
 */
export function readCreatedMethod(tree: Tree, path: readonly Node[], at: number): string | null {
  if (tree.kind(path[at] ?? 0) !== kind.Property) return null;
  const holder = path[at - 1] ?? 0;
  const list = path[at - 2] ?? 0;
  const call = path[at - 3] ?? 0;
  if (tree.kind(list) !== kind.ArrayExpression || tree.kind(call) !== kind.CallExpression) return null;
  if (!CREATE_CLASS.test(readCalledName(tree, call))) return null;
  const [key] = tree.list(holder, slot.first);
  const owner = tree.item(call, slot.call.arguments, 0);
  const name = key === undefined ? null : readStringValue(tree, tree.child(key, slot.property.value));
  return name === null || tree.kind(owner) !== kind.Identifier ? null : `${tree.name(owner)}.${name}`;
}

/** Returns the name of a field that a compiler's helper defines in a constructor: `__publicField(this, 'pay', …)`. */
export function readDefinedField(tree: Tree, call: Node, value: Node): string | null {
  if (!DEFINE_FIELD.test(readCalledName(tree, call))) return null;
  const [receiver = 0, key = 0, given] = tree.list(call, slot.call.arguments);
  return given === value && isReceiver(tree, receiver) ? readStringValue(tree, key) : null;
}

/** True for `this`, and for the variable (`_this`) that compilers use in functions without their own `this`. */
export function isReceiver(tree: Tree, node: Node): boolean {
  if (tree.kind(node) === kind.ThisExpression) return true;
  return tree.kind(node) === kind.Identifier && /^_this\d*$/.test(tree.name(node));
}
