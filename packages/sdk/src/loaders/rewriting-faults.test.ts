import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, describe, expect, test } from 'vitest';
import { project, removeProjects, run } from '../../test/traced-project.ts';

afterEach(removeProjects);

const sources = join(import.meta.dirname, '..');
const preload = join(sources, '../test/planted-fault.ts');
const printUrl = (path: string): string => JSON.stringify(pathToFileURL(join(sources, path)).href);

/** A position in the SDK's sources, given by path and text, and the fault to insert there. */
type Fault = readonly [path: string, text: string, fault: string];

const newEdits = 'const edits = new Edits(analysis.statements);';
const faults: readonly [name: string, fault: Fault, reason: RegExp][] = [
  [
    'the parser throws',
    [
      'instrument/parsers/rollup-parser.ts',
      'const words = parseWords(parse, source, jsx);',
      "throw new Error('planted');",
    ],
    /planted/,
  ],
  [
    'the analysis throws',
    [
      'instrument/analyze/analyze.ts',
      'visitList(holder: Node, place: number): void {',
      "$&throw new Error('planted');",
    ],
    /planted/,
  ],
  ['the emission throws', ['instrument/emit/emit.ts', newEdits, "throw new Error('planted');"], /planted/],
  [
    'an extra token is inserted',
    ['instrument/emit/emit.ts', newEdits, `${newEdits} edits.close(analysis.tree.end(0), 0, '}');`],
    /would not compile once rewritten: /,
  ],
  [
    'a name is declared twice',
    [
      'instrument/emit/emit.ts',
      newEdits,
      `${newEdits} edits.close(analysis.tree.end(0), 0, ';let q;let q');`,
    ],
    /would not compile once rewritten: .*q.* (has )?already been declared/,
  ],
  [
    'instrumenting takes too long',
    ['instrument/analyze/deadline.ts', 'monotonicMicros() + maxMs * 1000', 'monotonicMicros() - 1'],
    /takes more than 10 s/,
  ],
  [
    'the check throws',
    ['instrument/check.ts', 'const { source } = analysis.tree;', "throw new Error('planted');"],
    /planted/,
  ],
  [
    'the loader throws',
    ['loaders/transform.ts', 'const { runtime } = this.options;', "throw new Error('planted');"],
    /planted/,
  ],
];

const host = {
  'package.json': '{"type": "module"}',
  'main.js': `import { esm } from './esm.js'
import cjs from './common.cjs'
console.log(esm(1), cjs.common(2), (await import('./later.mjs')).default(3), typeof (() => 4)())`,
  'esm.js': 'export function esm(n) { return n + 1 }',
  'common.cjs': "exports.common = (n) => require('./inner.cjs')(n)",
  'inner.cjs': 'module.exports = function inner(n) { return n * 2 }',
  'later.mjs': 'export default function (n) { return n ** 2 }',
};
const files = ['main.js', 'esm.js', 'common.cjs', 'inner.cjs', 'later.mjs'];

const planted = ([path, text, fault]: Fault): Record<string, string> => ({
  PLANTED: JSON.stringify([path, text, fault.replace('$&', text)]),
  // Preloads the test's code before the SDK, which is preloaded too.
  NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
});

describe.each(pickRows(faults, { usually: 1 }))('if %s', (_, fault, reason) => {
  test('required and imported code runs unchanged, and one line per file reports the fault', () => {
    const root = project(host);
    const plain = run(root, ['main.js'], {}, false);
    const { status, output, stderr, reports } = run(root, ['main.js'], planted(fault));
    expect({ status, output, stderr }).toEqual({ status: 0, output: plain.output, stderr: '' });
    const matches = reports.map((line) => /([\w.]+) is not traced: (.*)$/.exec(line));
    expect(matches.map((line) => line?.[1]).sort()).toEqual([...files].sort());
    for (const line of matches) expect(line?.[2]).toMatch(reason);
  });

  test('code in Node 20’s loader thread and in a bundler’s plugin stays unchanged, and one line reports the fault', () => {
    const root = project({
      ...host,
      'thread.mjs': `import { initialize, load } from ${printUrl('loaders/load-thread.ts')}
initialize({ root: process.cwd(), include: [], exclude: [], withMap: false, accessors: false })
const source = 'export function f() { return 1 }'
for (const _ of [1, 2]) {
  const loaded = await load(new URL('./f.mjs', import.meta.url).href, {}, async () => ({ format: 'module', source }))
  console.log(loaded.source === source)
}`,
      'plugin.mjs': `import { throughline } from ${printUrl('plugin/plugin.ts')}
const { transform } = throughline.rollup({ root: process.cwd() })
const handler = transform.handler ?? transform
for (const _ of [1, 2]) console.log(await handler.call({}, 'export function f() { return 1 }', new URL('./f.js', import.meta.url).pathname))`,
    });
    const flags = ['--conditions=source'];
    const thread = run(root, [...flags, 'thread.mjs'], planted(fault), false);
    expect(thread).toMatchObject({ status: 0, output: 'true\ntrue\n' });
    const plugin = run(root, [...flags, 'plugin.mjs'], planted(fault), false);
    expect(plugin).toMatchObject({ status: 0 });
    for (const { stderr } of [thread, plugin]) {
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/f\.m?js is not traced: /);
      expect(stderr).toMatch(reason);
    }
  });
});
