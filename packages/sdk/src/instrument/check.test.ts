import { describe, expect, test, vi } from 'vitest';
import { analyze } from './analyze/analyze.ts';
import { Deadline } from './analyze/deadline.ts';
import { findBreakage } from './check.ts';
import { emit } from './emit/emit.ts';
import { namesFor } from './emit/injected-names.ts';
import { loadParser } from './parsers/load-parser.ts';
import { loadOxc } from './parsers/oxc-parser.ts';
import type { ModuleKind, SourceLanguage } from './parsers/parser.ts';

/** Inserts `planted` at the end of an instrumented source, and returns the result of the check. */
function check(
  source: string,
  language: SourceLanguage,
  moduleKind: ModuleKind,
  planted = '',
): string | null {
  const tree = loadParser().parse(source, language, moduleKind);
  if ('error' in tree) throw new Error(tree.error);
  const names = namesFor(source);
  if (names === undefined) throw new Error('no names');
  const deadline = new Deadline(10_000);
  const analysis = analyze(tree, names, deadline, false);
  const { edits } = emit(
    analysis,
    0,
    { start: () => ({ file: 'a.js', line: 1 }), functionName: () => undefined, lastLine: () => 1 },
    deadline,
  );
  if (planted !== '') edits.close(source.length, 0, planted);
  return findBreakage(analysis, edits, edits.apply(source), language, moduleKind);
}

const modules = [
  "#!/usr/bin/env node\nimport a, { b as c } from 'x' with { type: 'json' }\nimport 'y'; import * as d from 'z'\nexport { a, c as default, d as 'any name' }",
  "export * from 'x'; export * as y from 'y'\nexport const f = () => import.meta.url, [g = 1] = []",
  'export default function () { return 1 } export let h = 2',
  'export default async function* () { yield await import.meta.resolve(String(1)) }\nexport function named() {}',
  'export default class { m() { return import . meta } } export class K extends Object {}',
  'export default class Named { static { this.x = 1 } }',
  'export default async (a) => { await a }',
  'export default { m() { return [1] } }\nconst t = await 1; for await (const x of [t]) x',
  "const a = 1\nimport 'y'\n/re/.test('') && (() => a)()\nexport {}\n;(function () { return new.target })()",
  'export /* of */ default function () {}',
  'export default /* none */ function () {}',
  'export default (class {})\nconst $ = 1; export function f() { return $ }',
];

const scripts = [
  '#!/usr/bin/env node\n"use strict"\nexports.f = () => new.target\nreturn',
  'var await = 1, yield_ = await; function f() { var yield = 2; return await + yield }',
  '// <!-- a comment\n<!-- as in HTML\nfunction f(o) { with (o) { x } }',
  "const f = async () => import('x'); exports.f = f",
];

describe('the check of instrumented code', () => {
  describe.each([
    ...modules.map((source) => [source, 'js', 'module'] as const),
    ...scripts.map((source) => [source, 'js', 'commonjs'] as const),
    ['const f = () => <p>{(() => 1)()}</p>; export default f', 'jsx', 'module'] as const,
    [
      'export const f = <T,>(x: T): T => x as T\nenum E { A }\nexport type N = number',
      'ts',
      'module',
    ] as const,
    ['export const g = (x: number) => <p>{x}</p>', 'tsx', 'module'] as const,
    ['const f = (x: number) => x; export = f', 'ts', 'commonjs'] as const,
  ])('for %j', (source, language, moduleKind) => {
    test('accepts correctly instrumented code', () => {
      expect(check(source, language, moduleKind)).toBeNull();
    });

    test.each([
      ['an extra token', '}'],
      ['a name declared twice', ';let q1; let q1'],
    ])('finds %s', (_, planted) => {
      expect(check(source, language, moduleKind, planted)).toMatch(/./);
    });
  });

  test.each([
    [modules, 'module'],
    [scripts, 'commonjs'],
  ] as const)('rejects a function and a variable with the same name: %#', (sources, moduleKind) => {
    for (const source of sources)
      expect(check(source, 'js', moduleKind, ';{ function q() {} var q }')).toMatch(
        /q.*already been declared/,
      );
  });

  test('uses a parser only if the syntax check by V8 is not enough', () => {
    const oxc = loadOxc();
    if (oxc === undefined) throw new Error('a parser is missing');
    const findError = vi.spyOn(oxc, 'findError');
    const asked = modules.filter((source) => {
      findError.mockClear();
      check(source, 'js', 'module');
      return findError.mock.calls.length > 0;
    });
    expect(asked.filter((source) => !source.includes('/*'))).toEqual([]);
    findError.mockRestore();
  });
});
