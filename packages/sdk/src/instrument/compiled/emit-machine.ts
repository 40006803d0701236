import type { Edits } from '../emit/edits.ts';
import { skipDirectives } from '../emit/emit-places.ts';
import type { Frame } from '../emit/injected.ts';
import type { Tree } from '../parsers/tree.ts';
import type { StateMachine } from './state-machine.ts';

/** Depth of the call `__generator(…)` below its function in the syntax tree: one level each for the body, the `return` and the call. */
const DEPTH_OF_CALL = 3;

/**
 * Instruments a function that returns a state machine. The function ends before the author's code runs, so the injected code passes two
 * things to the runtime: the machine's generator, which runs the author's code, and a function for the variables. Called without an
 * argument, that function returns the inputs; with 1, the bindings. Called with an `ActiveStep`, that function stores the step.
 */
export function emitMachine(tree: Tree, frame: Frame, { call }: StateMachine, edits: Edits): void {
  const { fn, site, inputs, values, self, outer } = frame;
  const { frame: name, result, temporary, enter } = fn.injected;
  const start = skipDirectives(tree, fn.body, tree.start(fn.body) + 1);
  const directive = start > tree.start(fn.body) + 1 ? ';' : '';
  edits.open(start, fn.depth, `${directive}var ${name},${result};`);
  const variables = `${temporary}=>${temporary}?${temporary}===1?[${values}]:${name}=${temporary}:[${inputs}]`;
  const around = outer === null ? 'null' : outer.injected.ifThere;
  const given = [site, variables, around, result, ...(self === null ? [] : [self])];
  const entering = `${enter.slice(enter.indexOf('=') + 1)}${given.join(',')}):${result}`;
  const depth = fn.depth + DEPTH_OF_CALL;
  edits.open(tree.start(call), depth, ` (${result}=`);
  edits.close(tree.end(call), depth, `,${entering})`);
}

/** True if a state machine returns a value: `return [2, sum]`, `_context.a(2, sum)`, `_context.abrupt("return", sum)`. */
export function returnsValue(tree: Tree, { states }: StateMachine): boolean {
  return /\[\s*2\s*(?:\/\*return\*\/)?\s*,|\.a\(\s*2\s*,|\.abrupt\(\s*["']return["']\s*,/.test(
    tree.text(states),
  );
}
