import type { Analysis } from '../analyze/analysis.ts';
import type { AsyncLoop, FunctionModel, Suspension } from '../analyze/model.ts';
import { printSubject } from '../names/printed-text.ts';
import { kind } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import type { Edits } from './edits.ts';
import type { Hook } from './injected.ts';

/** Lists the methods of `ActiveStep` that a function's injected code calls. */
export function listHooks(fn: FunctionModel): ReadonlySet<Hook> {
  const hooks = new Set(fn.suspensions.flatMap((suspension) => chooseHooks(fn, suspension)));
  if (fn.suspensions.some(({ isSubject }) => isSubject)) hooks.add('iterable');
  if (fn.asyncLoops.length > 0) hooks.add('iterate');
  return hooks;
}

/** Returns the hook that receives the operand of an `await` or `yield`, and the hook that receives the result. */
function chooseHooks(
  { compiled }: FunctionModel,
  { isYield, isDelegate, awaits }: Suspension,
): readonly [before: Hook, after: Hook] {
  if (compiled !== null && (awaits || !compiled.isGenerator)) return ['suspend', 'resume'];
  if (isDelegate) return ['delegate', 'proceed'];
  return isYield ? ['pause', 'proceed'] : ['suspend', 'resume'];
}

/**
 * Passes the operand through one call and the result through another, as in `h?.resume(await h.suspend(x))`. If the result cannot be called
 * or iterated, V8's message prints an `await` as `(intermediate value)`. V8 prints a call with `?.` in the same way, so the message does
 * not change.
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
  const [before, after] = chooseHooks(fn, suspension);
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

/**
 * Formats the arguments after the operand. For `yield*`, they determine V8's message for a value that is not iterable. For other operators,
 * the argument is `true` in a function that a compiler made; only `suspend` reads it.
 */
function printMessage({ isAsync, compiled }: FunctionModel, { isDelegate, printed }: Suspension): string {
  const kind = compiled !== null ? 'compiled' : isAsync ? 'async' : 'sync';
  if (isDelegate) {
    const text = printed === null || printed.text === '' ? '' : `,${JSON.stringify(printed.text)}`;
    return `,{},'${kind}',${printed?.times ?? 0}${text}`;
  }
  return compiled === null ? '' : ',true';
}

/** Inserts the hooks before and after a `for await` loop. `emitBindings` inserts the hooks inside the loop's body. */
export function emitAsyncLoop(analysis: Analysis, fn: FunctionModel, loop: AsyncLoop, edits: Edits): void {
  const { tree } = analysis;
  const { right, depth, start, end, inList, functionsBefore } = loop;
  const [before, after] = wrapArgument(tree, right);
  const holds = analysis.holdsFunction(functionsBefore, tree.end(right));
  const printed = printSubject(tree, right);
  const text = printed === null ? ',{}' : `,{},${JSON.stringify(printed)}`;
  edits.open(tree.start(right), depth, `(${printCall(fn, 'iterate', holds, '.')}${before}`);
  edits.close(tree.end(right), depth, `${after}${text}))`);
  if (!inList) edits.open(start, depth, '{');
  edits.close(end, depth, `;${fn.injected.resume};${inList ? '' : '}'}`);
}

/**
 * Formats the beginning of a call. The callee is in parentheses if an argument contains a function, because V8 would otherwise name that
 * function after the callee.
 */
function printCall(
  { injected: { hooks } }: FunctionModel,
  hook: Hook,
  holdsFunction: boolean,
  link: '.' | '?.',
): string {
  if (!holdsFunction) return `${hooks}${link}${hook}(`;
  return `(${hooks}.${hook})${link === '.' ? '' : link}(`;
}

/** Returns the text around an expression that makes the expression a single argument of a call. */
function wrapArgument(tree: Tree, node: Node): readonly [before: string, after: string] {
  return tree.kind(node) === kind.SequenceExpression ? ['(0,', ')'] : ['', ''];
}
