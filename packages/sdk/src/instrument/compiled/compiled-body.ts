import { flag, kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { readCalledName } from './emitted-names.ts';
import { findForwarder } from './forwarder.ts';
import { findStateMachine } from './state-machine.ts';

/**
 * The body of an author's async function that a compiler, for a target below ES2017, turned into a generator and passed
 * to a helper: TypeScript's `__awaiter`, esbuild's `__async`, Babel's and SWC's `asyncToGenerator`, or a helper for
 * async generators.
 */
export interface CompiledBody {
  readonly isGenerator: boolean;
  /** Index in `path` of the node in place of the author's function: the compiler's function, or the call that returns it. */
  readonly at: number;
  /** The author's name for the function, if only the forwarder has this name; otherwise null. */
  readonly name: string | null;
  /** Indexes in the path of the functions that the compiler put around the body. */
  readonly around: readonly number[];
  /** Start offset of the forwarder; null if there is none. Callers call the forwarder, which calls the function that the helper made. */
  readonly forwarder: number | null;
}

const ASYNC_HELPER = /^_*async_?to_?generator(?:\$?\d+)?$/i;
const ASYNC_GENERATOR_HELPER = /^_*wrap_?async_?generator(?:\$?\d+)?$/i;

/**
 * Finds the author's function whose body a compiler moved into the function at `path[at]`. Returns null for all other functions.
 */
export function findCompiledBody(tree: Tree, path: readonly Node[], at: number): CompiledBody | null {
  const node = path[at] ?? 0;
  if (tree.kind(node) !== kind.FunctionExpression || tree.flag(node, flag.function.async)) return null;
  const parent = path[at - 1] ?? 0;
  if (tree.kind(parent) !== kind.CallExpression || findLastArgument(tree, parent) !== node) return null;
  if (
    !tree.flag(node, flag.function.generator) &&
    findStateMachine(tree, tree.child(node, slot.function.body)) === null
  )
    return null;
  const callAt = isMarking(tree, path, at) ? at - 2 : at - 1;
  const count = tree.count(path[callAt] ?? 0, slot.call.arguments);
  return count === 1 ? findWrappedBody(tree, path, callAt) : findCalledBody(tree, path, callAt, count);
}

function findLastArgument(tree: Tree, call: Node): Node {
  return tree.item(call, slot.call.arguments, tree.count(call, slot.call.arguments) - 1);
}

/** True if the function is wrapped as `_regenerator().m(function …)` in the call of a helper. */
function isMarking(tree: Tree, path: readonly Node[], at: number): boolean {
  const marking = path[at - 1] ?? 0;
  const around = path[at - 2] ?? 0;
  return (
    /^(?:m|mark)$/.test(readCalledName(tree, marking)) &&
    tree.kind(around) === kind.CallExpression &&
    findLastArgument(tree, around) === marking
  );
}

/**
 * Handles `return __awaiter(this, arguments, Promise, function* () { … })`: TypeScript's and esbuild's helpers call the function with the
 * author's body themselves.
 */
function findCalledBody(
  tree: Tree,
  path: readonly Node[],
  callAt: number,
  count: number,
): CompiledBody | null {
  const call = path[callAt] ?? 0;
  if (count !== 3 && count !== 4) return null;
  const receiver = tree.item(call, slot.call.arguments, 0);
  const given = tree.item(call, slot.call.arguments, 1);
  if (!isReceiver(tree, receiver) || !isGiven(tree, given)) return null;
  const at = findFunctionThatReturns(tree, path, callAt);
  if (at < 0) return null;
  const isGenerator = count === 3 && makesAsyncGenerator(tree, call);
  return { isGenerator, at, name: null, around: [at], forwarder: null };
}

/**
 * True if the helper makes an async generator. The helpers `__async` and `__asyncGenerator` both take three arguments. If a bundler renamed
 * the helper, the helper's source decides: only `__async` returns `new Promise`.
 */
function makesAsyncGenerator(tree: Tree, call: Node): boolean {
  const name = readCalledName(tree, call);
  if (/^__async(?:\$?\d+)?$/.test(name)) return false;
  if (/^__asyncGenerator(?:\$?\d+)?$/.test(name)) return true;
  const declared = new RegExp(
    `[\\s,]${name.replaceAll('$', '\\$')}\\s*=\\s*\\([^()]*\\)\\s*=>\\s*new Promise`,
  );
  return !declared.test(tree.source);
}

function isReceiver(tree: Tree, node: Node): boolean {
  return (
    tree.kind(node) === kind.ThisExpression || tree.kind(node) === kind.Identifier || isNothing(tree, node)
  );
}

const GIVEN: ReadonlySet<number> = new Set([kind.Identifier, kind.ArrayExpression, kind.CallExpression]);

function isGiven(tree: Tree, node: Node): boolean {
  return GIVEN.has(tree.kind(node)) || isNothing(tree, node);
}

function isNothing(tree: Tree, node: Node): boolean {
  return node !== 0 && /^(?:void 0|null)$/.test(tree.text(node));
}

/** Handles `asyncToGenerator(function* () { … })`: Babel's and SWC's helpers make a function, which is called in place of the author's. */
function findWrappedBody(tree: Tree, path: readonly Node[], callAt: number): CompiledBody | null {
  const name = readCalledName(tree, path[callAt] ?? 0);
  const isGenerator = ASYNC_GENERATOR_HELPER.test(name);
  if (!isGenerator && !ASYNC_HELPER.test(name)) return null;
  const calledAt = callOfResult(tree, path, callAt);
  if (calledAt > 0) {
    const at = findFunctionThatReturns(tree, path, calledAt);
    return at >= 0 && onlyPrepares(tree, path[at] ?? 0)
      ? { isGenerator, at, name: null, around: [at], forwarder: null }
      : { isGenerator, at: callAt, name: null, around: [], forwarder: null };
  }
  const forwarder = findForwarder(tree, path, callAt);
  if (forwarder === null) return { isGenerator, at: callAt, name: null, around: [], forwarder: null };
  const { around, start } = forwarder;
  return { isGenerator, at: forwarder.at, name: forwarder.name, around: [around], forwarder: start };
}

/**
 * The call at `callAt` makes a function. Finds the call of that function: `made()`, `made.call(this)` or `made.apply(this, arguments)`.
 * Returns the index in the path of the call found, or -1.
 */
function callOfResult(tree: Tree, path: readonly Node[], callAt: number): number {
  const made = path[callAt] ?? 0;
  const parent = path[callAt - 1] ?? 0;
  if (callsCallee(tree, parent, made)) return callAt - 1;
  const isMethod =
    tree.kind(parent) === kind.MemberExpression && /\.\s*(?:call|apply)$/.test(tree.text(parent));
  return isMethod && callsCallee(tree, path[callAt - 2] ?? 0, parent) ? callAt - 2 : -1;
}

function callsCallee(tree: Tree, call: Node, callee: Node): boolean {
  return tree.kind(call) === kind.CallExpression && tree.child(call, slot.call.callee) === callee;
}

/** Finds the function whose last statement returns the node at `from`. Returns the function's index in the path, or -1. */
function findFunctionThatReturns(tree: Tree, path: readonly Node[], from: number): number {
  let at = from - 1;
  if (tree.kind(path[at] ?? 0) === kind.SequenceExpression) at--;
  if (isPlainFunction(tree, path[at] ?? 0)) return isArrowBody(tree, path, at + 1) ? at : -1;
  const statement = path[at] ?? 0;
  const body = path[at - 1] ?? 0;
  if (tree.kind(statement) !== kind.ReturnStatement || tree.kind(body) !== kind.BlockStatement) return -1;
  const isLast = tree.item(body, slot.first, tree.count(body, slot.first) - 1) === statement;
  return isLast && isPlainFunction(tree, path[at - 2] ?? 0) ? at - 2 : -1;
}

function isArrowBody(tree: Tree, path: readonly Node[], at: number): boolean {
  const arrow = path[at - 1] ?? 0;
  return tree.kind(arrow) === kind.ArrowFunctionExpression && tree.child(arrow, slot.arrow.body) === path[at];
}

function isPlainFunction(tree: Tree, node: Node): boolean {
  switch (tree.kind(node)) {
    case kind.ArrowFunctionExpression:
      return !tree.flag(node, flag.arrow.async);
    case kind.FunctionExpression:
    case kind.FunctionDeclaration:
      return !tree.flag(node, flag.function.async) && !tree.flag(node, flag.function.generator);
    default:
      return false;
  }
}

/**
 * True if a function only prepares parameters, `this` and `super` before its last statement. The functions that compilers put around a body
 * do nothing else there.
 */
function onlyPrepares(tree: Tree, fn: Node): boolean {
  if (tree.kind(fn) === kind.ArrowFunctionExpression) return true;
  const body = tree.child(fn, slot.function.body);
  const count = tree.count(body, slot.first);
  for (let index = 0; index < count - 1; index++) {
    const text = tree.text(tree.item(body, slot.first, index));
    if (!/^(?:(?:var|let|const)\s+_|for\s*\(\s*var _len|['"])|\barguments\b/.test(text)) return false;
  }
  return true;
}

const AWAIT_HELPER = /^_*await(?:_?async_?generator)?(?:\$?\d+)?$/i;

/** Returns the awaited expression in a compiled async generator: `x` in `yield __await(x)`; 0 if something else is yielded. */
export function findAwaited(tree: Tree, yielded: Node): Node {
  const nodeKind = tree.kind(yielded);
  const places =
    nodeKind === kind.CallExpression ? slot.call : nodeKind === kind.NewExpression ? slot.new : null;
  if (places === null || tree.count(yielded, places.arguments) !== 1) return 0;
  return AWAIT_HELPER.test(readCalledName(tree, yielded)) ? tree.item(yielded, places.arguments, 0) : 0;
}
