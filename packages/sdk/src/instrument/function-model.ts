import { type AstNode, child } from './ast.ts';
import type { FunctionModel } from './model.ts';
import { functionName } from './names.ts';
import { reasonToSkip } from './skip.ts';

/** What is known of the function at the end of `path` before its body is looked at. */
export function functionModel(
  path: readonly AstNode[],
  node: AstNode,
  outer: FunctionModel | null,
  index: number,
): FunctionModel {
  const parent = path.at(-2);
  const isConstructor = parent?.type === 'MethodDefinition' && parent.kind === 'constructor';
  const classNode = isConstructor ? path.at(-4) : undefined;
  const isArrow = node.type === 'ArrowFunctionExpression';
  return {
    node,
    outer,
    index,
    depth: path.length,
    name: functionName(path),
    isArrow,
    isAsync: node.async === true,
    isGenerator: node.generator === true,
    isDerived: classNode !== undefined && child(classNode, 'superClass') !== null,
    isField: isArrow && parent?.type === 'PropertyDefinition',
    parameters: [],
    bindings: [],
    suspensions: [],
    results: [],
    recoveries: [],
    superCalls: [],
    asyncLoops: [],
    hoisted: [],
    usesThis: isConstructor,
    usesArguments: false,
    hasEval: false,
    skipped: reasonToSkip(node, parent),
  };
}

/** The function whose `this` is meant in `fn`. */
export function receiverOf(fn: FunctionModel | null): FunctionModel | null {
  let receiver = fn;
  while (receiver?.isArrow && !receiver.isField) receiver = receiver.outer;
  return receiver;
}

/** The function whose `arguments` are meant in `fn`. */
export function argumentsOf(fn: FunctionModel | null): FunctionModel | null {
  let owner = fn;
  while (owner?.isArrow) owner = owner.outer;
  return owner;
}

/** The nearest function from `fn` outwards that is instrumented. */
export function instrumentedFrom(fn: FunctionModel | null): FunctionModel | null {
  let found = fn;
  while (found !== null && found.skipped !== null) found = found.outer;
  return found;
}
