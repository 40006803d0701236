import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { isFunction } from './state-machine.ts';

/**
 * The compiler's function in place of the author's. It only calls the function that a helper made: `function pay(_x) {
 * return _pay.apply(this, arguments) }`.
 */
export interface Forwarder {
  readonly start: number;
  readonly name: string | null;
  /**
   * Indexes in the path to the helper's call. `at` is the index of the node that replaces the author's function. `around` is the index of
   * the function that the compiler put around the call.
   */
  readonly at: number;
  readonly around: number;
}

/** The helper's call at `callAt` makes a function. Finds the forwarder that calls this function; null if there is none. */
export function findForwarder(tree: Tree, path: readonly Node[], callAt: number): Forwarder | null {
  const made = nameOfMade(tree, path[callAt - 1] ?? 0, path[callAt] ?? 0);
  if (made === null) return null;
  let around = callAt - 2;
  while (around >= 0 && !isFunction(tree, path[around] ?? 0)) around--;
  if (around < 0) return null;
  const inner = path[around] ?? 0;
  const call = path[around - 1] ?? 0;
  // (function () { var _pay = …; function pay(_x) { … } return pay })()
  const isCalled = tree.kind(call) === kind.CallExpression && tree.child(call, slot.call.callee) === inner;
  const start = tree.start(inner);
  let nearest: Written | null = null;
  for (const found of findWrittenForwarders(tree).get(made) ?? []) {
    if (isCalled && (found.start < start || found.start > tree.end(inner))) continue;
    if (nearest === null || Math.abs(found.start - start) < Math.abs(nearest.start - start)) nearest = found;
  }
  return nearest && { ...nearest, at: isCalled ? around - 1 : around, around };
}

type Written = Pick<Forwarder, 'start' | 'name'>;

const WRITTEN =
  /function\s*([\w$]*)\s*\([^()]*\)\s*\{\s*return\s+([\w$]+)\.apply\(\s*this\s*,\s*arguments\s*\)/g;

const written = new WeakMap<Tree, ReadonlyMap<string, readonly Written[]>>();

/** Returns the forwarders of a source, with the name of the called function as the key. */
function findWrittenForwarders(tree: Tree): ReadonlyMap<string, readonly Written[]> {
  const known = written.get(tree);
  if (known !== undefined) return known;
  const all = new Map<string, Written[]>();
  for (const { index, 1: name = '', 2: made = '' } of tree.source.matchAll(WRITTEN)) {
    const found = all.get(made) ?? [];
    found.push({ start: index, name: name === '' ? null : name });
    all.set(made, found);
  }
  written.set(tree, all);
  return all;
}

/** Returns the name of the variable that the result of the call is assigned to. */
function nameOfMade(tree: Tree, parent: Node, call: Node): string | null {
  let target = 0;
  if (tree.kind(parent) === kind.VariableDeclarator) target = tree.child(parent, slot.declarator.id);
  else if (
    tree.kind(parent) === kind.AssignmentExpression &&
    tree.child(parent, slot.assignment.right) === call
  )
    target = tree.child(parent, slot.assignment.left);
  return target !== 0 && tree.kind(target) === kind.Identifier ? tree.name(target) : null;
}
