import { expect, test } from 'vitest';
import { instrument } from '../instrument.ts';
import { Tree } from '../parsers/tree.ts';

const READERS = ['kind', 'start', 'end', 'child', 'item'];

/** Instruments a generator with this body. Returns the number of times that nodes of its syntax tree are read. */
function countReads(body: string): number {
  let reads = 0;
  const originals = READERS.map((name) => [name, Reflect.get(Tree.prototype, name)] as const);
  for (const [name, read] of originals)
    Reflect.set(Tree.prototype, name, function (this: Tree, ...given: unknown[]) {
      reads += 1;
      return Reflect.apply(read, this, given);
    });
  try {
    const result = instrument(`function* read() { ${body} }`, {
      file: '/project/src/read.js',
      root: '/project',
      moduleKind: 'module',
      language: 'js',
      reserveSites: () => 0,
      withMap: false,
      withAccessors: false,
    });
    if ('skipped' in result) throw new Error(result.skipped);
    return reads;
  } finally {
    for (const [name, read] of originals) Reflect.set(Tree.prototype, name, read);
  }
}

test.each<[string, (yields: string[]) => string]>([
  ['statements', (yields) => yields.join(';')],
  ['items of an array', (yields) => `[${yields.join()}]`],
  ['expressions of a sequence', (yields) => `(${yields.join()})`],
  ['arguments', (yields) => `f(${yields.join()})`],
  ['parts of a template', (yields) => `\`${yields.map((each) => `\${${each}}`).join('')}\``],
  ['members of an object', (yields) => `f({${yields.map((each, at) => `a${at}: ${each}`).join()}})`],
])('rewriting twice as many `yield*` as %s takes about twice the work', (_where, write) => {
  const count = (yields: number) => countReads(write(Array.from({ length: yields }, () => '(yield* a())')));
  const once = count(2000);
  // The factor is not exactly 2: the last few `yield*` need less work, since little follows them.
  expect(count(4000) / once).toBeLessThan(2.5);
});
