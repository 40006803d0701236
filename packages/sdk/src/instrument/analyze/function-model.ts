import { findCompiled, findCompilersReason, leaveCompilers } from '../compiled/compilers-functions.ts';
import { findStateMachine } from '../compiled/state-machine.ts';
import { nameFunction } from '../names/names.ts';
import { flag, kind, slot, words } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import type { Analysis } from './analysis.ts';
import type { FunctionModel } from './model.ts';
import { findReasonToSkip } from './skip.ts';

/** Builds the model of the visited function before the function's body is visited. */
export function buildFunctionModel(found: Analysis): FunctionModel {
  const { tree, path, fn: outer, names, withAccessors } = found;
  const node = path[path.length - 1] ?? 0;
  const parent = path[path.length - 2] ?? 0;
  const inMember = tree.kind(parent) === kind.MethodDefinition;
  const isConstructor = inMember && tree.child(parent, slot.method.kind) === words.constructor;
  const holder = path[path.length - 4] ?? 0;
  const level = outer === null ? 0 : outer.level + 1;
  const isArrow = tree.kind(node) === kind.ArrowFunctionExpression;
  const isPlain =
    !isArrow && !tree.flag(node, flag.function.async) && !tree.flag(node, flag.function.generator);
  const model: FunctionModel = {
    node,
    outer,
    level,
    injected: names.ofLevel(level),
    depth: path.length,
    body: tree.child(node, isArrow ? slot.arrow.body : slot.function.body),
    name: nameFunction(tree, path),
    isArrow,
    isAsync: tree.flag(node, flag.function.async),
    isGenerator: !isArrow && tree.flag(node, flag.function.generator),
    isDerived: isConstructor && tree.child(holder, slot.class.superClass) !== 0,
    isCalled: isCalled(tree, node, parent),
    isField: isArrow && tree.kind(parent) === kind.PropertyDefinition,
    functionsBefore: 0,
    parameters: [],
    nextMirror: 0,
    bindings: [],
    locals: [],
    suspensions: [],
    results: [],
    recoveries: [],
    superCalls: [],
    asyncLoops: [],
    disposals: [],
    hoisted: [],
    usesThis: isConstructor,
    usesArguments: false,
    hasEval: false,
    compiled: findCompiled(found),
    machine: isPlain ? findStateMachine(tree, tree.child(node, slot.function.body)) : null,
    forwardsTo: found.forwarders.get(tree.start(node)) ?? null,
    skipped: findCompilersReason(found) ?? findReasonToSkip(tree, node, parent, withAccessors),
  };
  if (model.compiled !== null) leaveCompilers(found, model);
  return model;
}

function isCalled(tree: Tree, node: Node, parent: Node): boolean {
  switch (tree.kind(parent)) {
    case kind.CallExpression:
      return tree.child(parent, slot.call.callee) === node;
    case kind.MemberExpression:
      return tree.child(parent, slot.member.object) === node;
    default:
      return false;
  }
}

/** Finds the nearest instrumented function, starting with `fn` and going outwards. */
export function findInstrumented(fn: FunctionModel | null): FunctionModel | null {
  let found = fn;
  while (found !== null && found.skipped !== null) found = found.outer;
  return found;
}
