import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

/** A generator compiled for a target below ES2015: each `next()` calls a function that continues at a numbered state. */
export interface StateMachine {
  /** The call that makes the generator: `__generator(this, function (_a) { … })`. */
  readonly call: Node;
  readonly states: Node;
}

/** Finds the state machine whose generator a function returns. */
export function findStateMachine(tree: Tree, body: Node): StateMachine | null {
  if (tree.kind(body) !== kind.BlockStatement) return null;
  const count = tree.count(body, slot.first);
  const last = count === 0 ? 0 : tree.item(body, slot.first, count - 1);
  if (tree.kind(last) !== kind.ReturnStatement) return null;
  return findMachine(tree, tree.child(last, slot.first));
}

function findMachine(tree: Tree, result: Node): StateMachine | null {
  const call = tree.kind(result) === kind.SequenceExpression ? tree.list(result, slot.first).at(-1) : result;
  if (call === undefined || call === 0 || tree.kind(call) !== kind.CallExpression) return null;
  const count = tree.count(call, slot.call.arguments);
  for (let index = 0; index < Math.min(count, 2); index++) {
    const states = tree.item(call, slot.call.arguments, index);
    if (states !== 0 && (isStates(tree, states) || isSingleState(tree, call, states)))
      return { call, states };
  }
  return null;
}

/** True for `function (_a) { switch (_a.label) { … } }`. The `switch` can be in an endless loop. */
function isStates(tree: Tree, fn: Node): boolean {
  if (tree.kind(fn) !== kind.FunctionExpression || tree.count(fn, slot.function.params) !== 1) return false;
  const parameter = tree.item(fn, slot.function.params, 0);
  const body = tree.child(fn, slot.function.body);
  if (tree.kind(parameter) !== kind.Identifier || tree.count(body, slot.first) !== 1) return false;
  const choice = findChoice(tree, tree.item(body, slot.first, 0));
  if (choice === 0) return false;
  let state = tree.child(choice, slot.switch.discriminant);
  while (tree.kind(state) === kind.AssignmentExpression) state = tree.child(state, slot.assignment.right);
  if (tree.kind(state) !== kind.MemberExpression) return false;
  const owner = tree.child(state, slot.member.object);
  return tree.kind(owner) === kind.Identifier && tree.name(owner) === tree.name(parameter);
}

/** True for `__generator(this, function (_a) { …; return [2, sum]; })`: TypeScript and SWC omit the `switch` if nothing is awaited. */
function isSingleState(tree: Tree, call: Node, fn: Node): boolean {
  const receiver = tree.item(call, slot.call.arguments, 0);
  if (tree.kind(fn) !== kind.FunctionExpression || tree.kind(receiver) !== kind.ThisExpression) return false;
  const body = tree.child(fn, slot.function.body);
  const last = tree.item(body, slot.first, tree.count(body, slot.first) - 1);
  if (tree.kind(last) !== kind.ReturnStatement) return false;
  const operation = tree.child(last, slot.first);
  return tree.kind(operation) === kind.ArrayExpression && /^\[\s*[0-7]\b/.test(tree.text(operation));
}

/**
 * Finds the function around a state machine whose states are in the function at `at`. Returns the outer function's index in the path, or
 * -1.
 */
export function findMachineFunction(tree: Tree, path: readonly Node[], at: number): number {
  let around = at - 1;
  while (around >= 0 && !isFunction(tree, path[around] ?? 0)) around--;
  if (around < 0 || tree.kind(path[at - 1] ?? 0) !== kind.CallExpression) return -1;
  const fn = path[around] ?? 0;
  if (tree.kind(fn) === kind.ArrowFunctionExpression) return -1;
  return findStateMachine(tree, tree.child(fn, slot.function.body))?.states === path[at] ? around : -1;
}

export function isFunction(tree: Tree, node: Node): boolean {
  const nodeKind = tree.kind(node);
  return (
    nodeKind === kind.FunctionDeclaration ||
    nodeKind === kind.FunctionExpression ||
    nodeKind === kind.ArrowFunctionExpression
  );
}

function findChoice(tree: Tree, statement: Node): Node {
  switch (tree.kind(statement)) {
    case kind.SwitchStatement:
      return statement;
    case kind.WhileStatement:
      return findChoice(tree, tree.child(statement, slot.while.body));
    case kind.ForStatement:
      return findChoice(tree, tree.child(statement, slot.for.body));
    case kind.BlockStatement:
      return tree.count(statement, slot.first) === 1
        ? findChoice(tree, tree.item(statement, slot.first, 0))
        : 0;
    default:
      return 0;
  }
}
