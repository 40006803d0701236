import type { Analysis } from '../analyze/analysis.ts';
import type { CompiledFunction, FunctionModel } from '../analyze/model.ts';
import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { findCompiledBody } from './compiled-body.ts';
import { isHelper, readCalledName } from './emitted-names.ts';

/** Reasons why a function that a compiler made is not instrumented. */
const COMPILERS = 'a compiler made it';
const HELPERS = 'it is a helper of a compiler';

/** Finds the author's function whose body is in the visited function. */
export function findCompiled({ tree, path, fn }: Analysis): CompiledFunction | null {
  const body = findCompiledBody(tree, path, path.length - 1);
  if (body === null) return null;
  const author = path[body.at] ?? 0;
  const around = body.forwarder === null ? findModel(author, fn) : null;
  // If there is a forwarder, the author's function is no longer in its original position. Source maps then locate the function by its body.
  return {
    isGenerator: body.isGenerator,
    around,
    author: body.forwarder === null ? author : (path[path.length - 1] ?? 0),
  };
}

/** Skips the functions that a compiler put around the visited function, if the visited function contains an author's body. */
export function leaveCompilers(found: Analysis, model: FunctionModel): void {
  const { tree, path } = found;
  const body = findCompiledBody(tree, path, path.length - 1);
  if (body === null) return;
  found.isCompiled = true;
  for (const at of body.around) {
    const around = findModel(path[at] ?? 0, model.outer);
    if (around !== null) around.skipped ??= COMPILERS;
  }
  if (body.forwarder === null) return;
  found.forwarders.set(body.forwarder, model);
  const forwarder = found.functions.find(({ node }) => tree.start(node) === body.forwarder);
  if (forwarder === undefined) return;
  forwarder.skipped ??= COMPILERS;
  forwarder.forwardsTo = model;
}

function findModel(node: Node, from: FunctionModel | null): FunctionModel | null {
  let fn = from;
  while (fn !== null && fn.node !== node) fn = fn.outer;
  return fn;
}

/** Returns why the visited function is not the author's; null if it is. */
export function findCompilersReason(found: Analysis): string | null {
  const { tree, path, fn: outer } = found;
  const node = path[path.length - 1] ?? 0;
  if (outer?.skipped === HELPERS || isHelper(tree, path)) {
    found.isCompiled = true;
    return HELPERS;
  }
  if (outer?.machine?.states === node || found.forwarders.has(tree.start(node))) return COMPILERS;
  if (isLoopBody(tree, path) || isExportGetter(tree, path) || isOfSuper(tree, path)) return COMPILERS;
  return null;
}

/** True for `_loop_1 = function (line) { … }`: the body of a loop whose functions need separate variables in each iteration. */
function isLoopBody(tree: Tree, path: readonly Node[]): boolean {
  const parent = path[path.length - 2] ?? 0;
  let target = 0;
  if (tree.kind(parent) === kind.VariableDeclarator) target = tree.child(parent, slot.declarator.id);
  else if (tree.kind(parent) === kind.AssignmentExpression) target = tree.child(parent, slot.assignment.left);
  else if (/^(?:m|mark)$/.test(tree.kind(parent) === kind.CallExpression ? readCalledName(tree, parent) : ''))
    return isLoopBody(tree, path.slice(0, -1));
  return target !== 0 && tree.kind(target) === kind.Identifier && /^_loop(?:_?\d+)?$/.test(tree.name(target));
}

/**
 * True for a getter that a compiler made for an export: `get: function () { return pay_1.pay; }` in `Object.defineProperty(exports, 'pay',
 * …)`, or `pay: () => pay` in `__export(exports, { … })`.
 */
function isExportGetter(tree: Tree, path: readonly Node[]): boolean {
  const property = path[path.length - 2] ?? 0;
  const holder = path[path.length - 3] ?? 0;
  const call = path[path.length - 4] ?? 0;
  if (tree.kind(property) !== kind.Property || tree.kind(call) !== kind.CallExpression) return false;
  const [target = 0, ...others] = tree.list(call, slot.call.arguments);
  if (others.at(-1) !== holder || !isNameOrConstant(tree, findResult(tree, path[path.length - 1] ?? 0)))
    return false;
  const isDescriptor =
    others.length === 2 && /^(?:defineProperty|__defProp\d*)$/.test(readCalledName(tree, call));
  if (isDescriptor) return tree.text(tree.child(property, slot.property.key)) === 'get';
  const isStatement = tree.kind(path[path.length - 5] ?? 0) === kind.ExpressionStatement;
  return (
    isStatement && others.length === 1 && tree.kind(target) === kind.Identifier && isGetters(tree, holder)
  );
}

/**
 * True for a function that a compiler made to access `super` (`get: () => super.pay`, `_superprop_getPay = () => super.pay`), and for a
 * constructor that the author did not write.
 */
function isOfSuper(tree: Tree, path: readonly Node[]): boolean {
  const node = path[path.length - 1] ?? 0;
  const parent = path[path.length - 2] ?? 0;
  if (tree.kind(parent) === kind.MethodDefinition) return IMPLICIT_CONSTRUCTOR.test(start(tree, node));
  if (tree.kind(node) === kind.FunctionDeclaration) return IMPLICIT_FUNCTION.test(start(tree, node));
  if (tree.kind(node) === kind.ArrowFunctionExpression && /^\(\)\s*=>\s*super\b/.test(start(tree, node)))
    return true;
  return (
    tree.kind(parent) === kind.VariableDeclarator &&
    /^_superprop_/.test(tree.text(tree.child(parent, slot.declarator.id)))
  );
}

const start = (tree: Tree, node: Node): string => tree.source.slice(tree.start(node), tree.start(node) + 400);

/** Matches the beginning of constructors that compilers add to classes with fields. */
const IMPLICIT_CONSTRUCTOR =
  /^(?:constructor)?\(\)\s*\{\s*super\(\.\.\.arguments\)|^(?:constructor)?\(\.\.\.args\)\s*\{\s*super\(\.\.\.args\)\s*[;,]\s*\(?[\w$., ]*define_?property\b/i;
const IMPLICIT_FUNCTION =
  /^function [\w$]+\(\)\s*\{(?:(?!\}).)*?\b(?:_super\d*\.apply\(this, (?:arguments|[\w$.]*__spreadArray\(\[\], [\w$.]*__read\(arguments\), false\))\)|_callSuper\(this, [\w$]+, \[\]\.concat\(args\)\)|_call_super\(this, [\w$]+, arguments\))/s;

function isGetters(tree: Tree, holder: Node): boolean {
  return tree.list(holder, slot.first).every((property) => {
    const value = tree.kind(property) === kind.Property ? tree.child(property, slot.property.value) : 0;
    return value !== 0 && isNameOrConstant(tree, findResult(tree, value));
  });
}

/** Returns the expression that a function without parameters returns, if the function does nothing else; otherwise 0. */
function findResult(tree: Tree, fn: Node): Node {
  const isArrow = tree.kind(fn) === kind.ArrowFunctionExpression;
  if (!isArrow && tree.kind(fn) !== kind.FunctionExpression) return 0;
  if (tree.count(fn, isArrow ? slot.arrow.params : slot.function.params) > 0) return 0;
  const body = tree.child(fn, isArrow ? slot.arrow.body : slot.function.body);
  if (tree.kind(body) !== kind.BlockStatement) return body;
  const [statement = 0, ...more] = tree.list(body, slot.first);
  const isReturn = more.length === 0 && tree.kind(statement) === kind.ReturnStatement;
  return isReturn ? tree.child(statement, slot.first) : 0;
}

function isNameOrConstant(tree: Tree, node: Node): boolean {
  if (tree.kind(node) === kind.Identifier) return true;
  return (
    tree.kind(node) === kind.MemberExpression &&
    /^(?!this\b)[\w$]+(?:\.[\w$]+|\[\w+\])$/.test(tree.text(node))
  );
}
