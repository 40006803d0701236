import { formatCallbackName } from '../../internal/callback-name.ts';
import {
  isCompiledConstructor,
  isReceiver,
  readCreatedMethod,
  readDefinedField,
} from '../compiled/class-names.ts';
import { type CompiledBody, findCompiledBody } from '../compiled/compiled-body.ts';
import { findMachineFunction, isFunction } from '../compiled/state-machine.ts';
import { kind, slot, words } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import {
  formatExpressionName,
  maxCallee,
  readExpressionKey,
  readKeyName,
  readStringValue,
} from './expression-names.ts';

const anonymousName = 'anonymous';

/**
 * Returns a readable name for the function at the end of `path`: the function's own name, or the name of its variable or of the call that
 * receives the function.
 */
export function nameFunction(tree: Tree, path: readonly Node[]): string {
  return nameAt(tree, path, path.length - 1);
}

function nameAt(tree: Tree, path: readonly Node[], at: number): string {
  const node = path[at] ?? 0;
  const body = findCompiledBody(tree, path, at);
  if (body !== null) return nameAuthorsFunction(tree, path, body);
  const around = findMachineFunction(tree, path, at);
  if (around >= 0) return nameAt(tree, path, around);
  const id = tree.kind(node) === kind.ArrowFunctionExpression ? 0 : tree.child(node, slot.function.id);
  if (id === 0) return placeName(tree, path, at);
  const created = readCreatedMethod(tree, path, at - 1);
  if (created !== null) return created;
  const name = tree.authorsName(id);
  return isCompiledConstructor(tree, path, at, tree.name(id)) ? `new ${name}` : name;
}

/** Returns the name of the author's function whose body a compiler moved. */
function nameAuthorsFunction(tree: Tree, path: readonly Node[], { at, name }: CompiledBody): string {
  const isCall = tree.kind(path[at] ?? 0) === kind.CallExpression;
  if (name === null) return isCall ? placeName(tree, path, at) : nameAt(tree, path, at);
  const placed = isCall ? placeName(tree, path, at) : name;
  return placed.endsWith(`.${name}`) ? placed : name;
}

function placeName(tree: Tree, path: readonly Node[], at: number): string {
  const node = path[at] ?? 0;
  const parent = path[at - 1] ?? 0;
  switch (tree.kind(parent)) {
    case kind.MethodDefinition:
      return nameMethod(tree, path, at - 1, parent, node);
    case kind.PropertyDefinition:
      return nameMember(tree, path, at - 1, parent);
    case kind.Property:
      return nameProperty(tree, path, at - 1, parent, node);
    case kind.VariableDeclarator:
      return (
        readIdentifierName(tree, tree.child(parent, slot.declarator.id)) ?? nameAnonymous(tree, path, at)
      );
    case kind.AssignmentPattern:
      return (
        nameAssigned(tree, path, at, tree.child(parent, slot.assignmentPattern.left)) ??
        nameAnonymous(tree, path, at)
      );
    case kind.AssignmentExpression:
      return (
        nameAssigned(tree, path, at, tree.child(parent, slot.assignment.left)) ??
        nameAnonymous(tree, path, at)
      );
    case kind.LogicalExpression:
    case kind.ConditionalExpression:
      return placeName(tree, path, at - 1);
    case kind.ExportDefaultDeclaration:
      return 'default';
    case kind.CallExpression:
      return (
        nameField(tree, path, at) ??
        nameCallback(tree, parent, slot.call, node) ??
        nameAnonymous(tree, path, at)
      );
    case kind.NewExpression:
      return nameCallback(tree, parent, slot.new, node) ?? nameAnonymous(tree, path, at);
    default:
      return nameAnonymous(tree, path, at);
  }
}

function readIdentifierName(tree: Tree, node: Node): string | null {
  return tree.kind(node) === kind.Identifier ? tree.authorsName(node) : null;
}

function nameClass(tree: Tree, path: readonly Node[], from: number): string | null {
  for (let at = from; at >= 0; at--) {
    const node = path[at] ?? 0;
    const nodeKind = tree.kind(node);
    if (nodeKind !== kind.ClassDeclaration && nodeKind !== kind.ClassExpression) continue;
    const id = tree.child(node, slot.class.id);
    const name = id === 0 ? null : tree.authorsName(id);
    // Bundlers emit `var Shop = class _Shop { … }` for a class that refers to itself.
    if (name !== null && !name.startsWith('_')) return name;
    const named = placeName(tree, path, at);
    if (name !== null) return name.replace(/\d*$/, '') === `_${named}` ? named : name;
    return named.startsWith(anonymousName) ? null : named;
  }
  return null;
}

function nameMethod(tree: Tree, path: readonly Node[], at: number, method: Node, fn: Node): string {
  // A function in a decorator or in a computed key of a method is not the method itself.
  if (tree.child(method, slot.method.value) !== fn) return nameAnonymous(tree, path, at);
  const word = tree.child(method, slot.method.kind);
  if (word === words.constructor) return `new ${nameClass(tree, path, at) ?? 'anonymous class'}`;
  return formatAccessorPrefix(word) + nameMember(tree, path, at, method);
}

/** Returns the name of a field that a compiler's helper defines in the constructor of its class. */
function nameField(tree: Tree, path: readonly Node[], at: number): string | null {
  const key = readDefinedField(tree, path[at - 1] ?? 0, path[at] ?? 0);
  if (key === null) return null;
  const owner = nameConstructed(tree, path, at);
  return owner === null ? key : `${owner}.${key}`;
}

/** Returns the name of the class that `this` belongs to, even if a compiler turned the class into a function. */
function nameConstructed(tree: Tree, path: readonly Node[], from: number): string | null {
  const named = nameClass(tree, path, from);
  if (named !== null) return named;
  for (let at = from - 1; at > 0; at--) {
    const node = path[at] ?? 0;
    if (tree.kind(node) !== kind.FunctionDeclaration) continue;
    const id = tree.child(node, slot.function.id);
    if (isCompiledConstructor(tree, path, at, tree.name(id))) return tree.authorsName(id);
  }
  return null;
}

function nameMember(tree: Tree, path: readonly Node[], at: number, member: Node): string {
  const key = readKeyName(tree, member, slot.method.key) ?? '[computed]';
  const owner = nameClass(tree, path, at);
  return owner === null ? key : `${owner}.${key}`;
}

const formatAccessorPrefix = (word: Node): string =>
  word === words.get ? 'get ' : word === words.set ? 'set ' : '';

/**
 * Returns `shop.pay` for the method in `{ pay() {} }` if the object is assigned to `shop`; returns `pay` if the object is passed or
 * returned.
 */
function nameProperty(tree: Tree, path: readonly Node[], at: number, property: Node, fn: Node): string {
  if (tree.child(property, slot.property.value) !== fn) return nameAnonymous(tree, path, at);
  const created = readCreatedMethod(tree, path, at);
  if (created !== null) return created;
  const key = readKeyName(tree, property, slot.property.key) ?? '[computed]';
  const prefix = formatAccessorPrefix(tree.child(property, slot.property.kind));
  const holder = path[at - 2] ?? 0;
  const holderKind = tree.kind(holder);
  const owner =
    holderKind === kind.VariableDeclarator
      ? readIdentifierName(tree, tree.child(holder, slot.declarator.id))
      : holderKind === kind.AssignmentExpression
        ? formatExpressionName(tree, tree.child(holder, slot.assignment.left))
        : null;
  return prefix + (owner === null ? key : joinName(owner, key));
}

function nameAssigned(tree: Tree, path: readonly Node[], at: number, target: Node): string | null {
  if (tree.kind(target) !== kind.MemberExpression) return readIdentifierName(tree, target);
  const object = tree.child(target, slot.member.object);
  const key = readExpressionKey(tree, target);
  if (key === null) return null;
  if (isReceiver(tree, object)) {
    const owner = nameConstructed(tree, path, at);
    return owner === null ? key : `${owner}.${key}`;
  }
  const owner = formatExpressionName(tree, object);
  return owner === null ? key : joinName(owner, key);
}

/** Joins the name of an object with the name of its property. Leaves out `exports` and `prototype`, which do not identify the object. */
function joinName(owner: string, key: string): string {
  const shown = owner.replace(/^(module\.)?exports(\.|$)/, '').replace(/\.prototype$/, '');
  return shown === '' ? key : `${shown}.${key}`;
}

function nameCallback(
  tree: Tree,
  call: Node,
  places: typeof slot.call | typeof slot.new,
  callback: Node,
): string | null {
  const args = tree.list(call, places.arguments);
  if (!args.includes(callback)) return null;
  const callee = formatExpressionName(tree, tree.child(call, places.callee));
  if (callee === null) return null;
  // esbuild, and therefore tsx, preserves a function's name with a call of `__name`.
  if (callee === '__name' && args[0] === callback) return readStringValue(tree, args[1] ?? 0);
  const label = readStringValue(tree, args[0] ?? 0);
  const shown = `${places === slot.new ? 'new ' : ''}${callee}`;
  return formatCallbackName(`${shown}(${label === null ? '' : `'${label.slice(0, maxCallee)}'`})`);
}

function nameAnonymous(tree: Tree, path: readonly Node[], from: number): string {
  for (let at = from - 1; at > 0; at--) {
    if (isFunction(tree, path[at] ?? 0)) {
      const outer = nameAt(tree, path, at);
      return outer.startsWith(anonymousName) ? outer : `${anonymousName} in ${outer}`;
    }
  }
  return anonymousName;
}
