import { expression } from './grammar-expressions.ts';
import { functionText } from './grammar-functions.ts';
import { finale, type Place, prelude } from './grammar-parts.ts';
import { NameScope } from './grammar-scope.ts';
import { items } from './grammar-statements.ts';
import { Writing } from './grammar-writing.ts';
import { fillGaps } from './trivia.ts';

/**
 * Writes a random program, as {@link randomProgram} does, from syntax that few programs contain: each statement in each position, labels
 * before all of them, a few names that shadow each other, scopes in loop heads and in `switch`, reads before declarations, `eval` and
 * `with`, hundreds of bindings, statements without a semicolon, and comments and white space in between.
 */
export function grammarProgram(choices: readonly number[]): string {
  const w = new Writing(choices, { expression, items });
  const isStrict = w.pick(4) === 0;
  const scope = new NameScope(null, true);
  const place: Place = {
    kind: 'async',
    depth: 0,
    scope,
    isStrict,
    labels: [],
    inLoop: false,
    inSwitch: false,
    canReturn: false,
    hasArguments: true,
    hasSuper: false,
  };
  const count = 3 + w.pick(4);
  const body = Array.from({ length: count }, () => {
    const name = w.name();
    const kind = w.kind();
    const inner = `${functionText(w, place, kind, ` ${name}`)}\n${w.flip(3) ? `go(${name})\n` : ''}go(${name}, 1, { a: 2, b: [3] }, 4)`;
    return `try {\n${inner}\n} catch (v) { oops(v) }`;
  });
  const text = fillGaps(body.join('\n'), (below) => w.pick(below));
  return `${isStrict ? "'use strict'\n" : ''}${prelude}\n${text}\n${finale}`;
}
