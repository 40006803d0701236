import type { Analysis } from '../analyze/analysis.ts';
import type { AsyncLoop, FunctionModel, Suspension } from '../analyze/model.ts';
import { printedSubject } from '../names/printed-text.ts';
import { kind } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import type { Edits } from './edits.ts';
import type { Hook } from './injected.ts';

/** The methods of its frame that a function uses. */
export function listHooks(fn: FunctionModel): ReadonlySet<Hook> {
  const hooks = new Set(fn.suspensions.flatMap((suspension) => hooksAround(fn, suspension)));
  if (fn.suspensions.some(({ isSubject }) => isSubject)) hooks.add('iterable');
  if (fn.asyncLoops.length > 0) hooks.add('iterate');
  return hooks;
}

/** The hook that gets what is waited for, and the one that gets what comes of it. */
function hooksAround(
  { compiled }: FunctionModel,
  { isYield, isDelegate, awaits }: Suspension,
): readonly [before: Hook, after: Hook] {
  if (compiled !== null && (awaits || !compiled.isGenerator)) return ['suspend', 'resume'];
  if (isDelegate) return ['delegate', 'proceed'];
  return isYield ? ['pause', 'proceed'] : ['suspend', 'resume'];
}

/**
 * The value passes through two calls. V8 prints one by `?.` as it prints an `await`: as `(intermediate value)`, where it says of a value that it is no
 * function, or cannot be gone over.
 */
export function emitSuspension(
  analysis: Analysis,
  fn: FunctionModel,
  suspension: Suspension,
  edits: Edits,
): void {
  const { tree } = analysis;
  const { start, end, depth, functionsBefore, isSubject } = suspension;
  const holds = analysis.holdsFunction(functionsBefore, end);
  const [before, after] = hooksAround(fn, suspension);
  const argument = fn.compiled?.isGenerator ? suspension.awaits || suspension.argument : suspension.argument;
  const check = isSubject ? printCall(fn, 'iterable', holds, '.') : '';
  edits.open(start, depth, `(${check}${printCall(fn, after, holds, '?.')}`);
  edits.close(end, depth, isSubject ? '),{}))' : '))');
  const call = ` ${printCall(fn, before, holds, '.')}`;
  if (argument === 0) edits.close(end, depth + 0.5, `${call})`);
  else {
    const [opening, closing] = wrapArgument(tree, argument);
    edits.open(tree.start(argument), depth + 0.5, call + opening);
    edits.close(tree.end(argument), depth + 0.5, `${closing}${printMessage(fn, suspension)})`);
  }
}

/** Arguments of `delegate` beside the value: V8's words for a value that is not iterable. `suspend` learns of the `yield` of a compiled `await`. */
function printMessage({ isAsync, compiled }: FunctionModel, { isDelegate, printed }: Suspension): string {
  const kind = compiled !== null ? 'compiled' : isAsync ? 'async' : 'sync';
  if (isDelegate) return `,{},'${kind}',${printed}`;
  return compiled === null ? '' : ',true';
}

/** `for await`: its frame is suspended after each request for a value. */
export function emitAsyncLoop(analysis: Analysis, fn: FunctionModel, loop: AsyncLoop, edits: Edits): void {
  const { tree } = analysis;
  const { right, depth, start, end, inList, functionsBefore } = loop;
  const [before, after] = wrapArgument(tree, right);
  const holds = analysis.holdsFunction(functionsBefore, tree.end(right));
  const printed = printedSubject(tree, right);
  const text = printed === null ? ',{}' : `,{},${JSON.stringify(printed)}`;
  edits.open(tree.start(right), depth, `(${printCall(fn, 'iterate', holds, '.')}${before}`);
  edits.close(tree.end(right), depth, `${after}${text}))`);
  if (!inList) edits.open(start, depth, '{');
  edits.close(end, depth, `;${fn.injected.resume};${inList ? '' : '}'}`);
}

/** Begins a call. V8 names a function in an argument after the words before it, but not after those in parentheses. */
function printCall(
  { injected: { hooks } }: FunctionModel,
  hook: Hook,
  holdsFunction: boolean,
  link: '.' | '?.',
): string {
  if (!holdsFunction) return `${hooks}${link}${hook}(`;
  return `(${hooks}.${hook})${link === '.' ? '' : link}(`;
}

/** The text around an expression that makes it one argument of a call. */
function wrapArgument(tree: Tree, node: Node): readonly [before: string, after: string] {
  return tree.kind(node) === kind.SequenceExpression ? ['(0,', ')'] : ['', ''];
}
