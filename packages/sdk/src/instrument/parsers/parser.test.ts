import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { analyze } from '../analyze/analyze.ts';
import { Deadline } from '../analyze/deadline.ts';
import { emit } from '../emit/emit.ts';
import { namesFor } from '../emit/injected-names.ts';
import { loadAcorn } from './acorn-parser.ts';
import { fields, flag, kind, slot } from './layout.ts';
import { loadOxc } from './oxc-parser.ts';
import type { ModuleKind } from './parser.ts';
import { PARSER_PROBE } from './parser-probe.ts';
import { loadRollupParser } from './rollup-parser.ts';
import type { Tree } from './tree.ts';

const load = createRequire(import.meta.url);

/** Returns the instrumented source of a tree and the facts found about its functions. */
function instrumented(tree: Tree | { readonly error: string } | undefined): unknown {
  if (tree === undefined || 'error' in tree) throw new Error(tree?.error ?? 'no tree');
  const names = namesFor(tree.source);
  if (names === undefined) throw new Error('no names');
  const deadline = new Deadline(10_000);
  const locate = {
    start: (offset: number) => ({ file: 'a.js', line: offset }),
    functionName: () => undefined,
    lastLine: (_start: unknown, end: number) => end,
  };
  const { edits, sites } = emit(analyze(tree, names, deadline, true), 0, locate, deadline);
  return { code: edits.apply(tree.source), sites };
}

function both(source: string, moduleKind: ModuleKind = 'commonjs') {
  const oxc = loadOxc();
  const rollup = loadRollupParser();
  if (oxc === undefined || rollup === undefined) throw new Error('a parser is missing');
  return {
    fast: rollup.parse(source, false),
    slow: oxc.parse(source, 'js', moduleKind),
    fallback: loadAcorn().parse(source, 'js', moduleKind),
  };
}

// The layout of the fast parser's output is undocumented, so another version of the parser may have another layout.
test.each([
  'lodash/lodash.js',
  'qs/lib/parse.js',
  'express/lib/application.js',
  'semver/classes/range.js',
  'express/lib/response.js',
  'picomatch/lib/parse.js',
])('all parsers lead to the same instrumented code: %s', (path) => {
  const { fast, slow, fallback } = both(readFileSync(load.resolve(path), 'utf8'));
  expect(instrumented(fast)).toEqual(instrumented(slow));
  expect(instrumented(fallback)).toEqual(instrumented(slow));
});

test('all parsers lead to the same instrumented code for rare syntax', () => {
  const { fast, slow, fallback } = both(PARSER_PROBE, 'module');
  expect(instrumented(fast)).toEqual(instrumented(slow));
  expect(instrumented(fallback)).toEqual(instrumented(slow));
});

test.each([
  ['a with statement', 'with (a) { b }'],
  ['a with statement after a label', 'a: with (a) { b }'],
  ['a with statement after else', 'if (a) b; else with (a) { b }'],
  ['a with statement after do', 'do with (a) b; while (c)'],
  ['a with statement among comments', 'b /* c */ /* d */ with /* e */ (a) { b }'.slice(1)],
  ['an HTML-like comment', 'a\n--> b'],
  ['a byte order mark', '\ufefffoo()'],
  ['a comment that ends with a paragraph separator', 'class A // a\u2029 {}'],
  ['a syntax error', 'let = = 1'],
  ['a function where only a statement is allowed', 'if (a) function f() {}'],
])('the fast parser rejects syntax that needs the slower parser: %s', (_, source) => {
  expect(loadRollupParser()?.parse(source, false)).toBeUndefined();
});

test('a variable whose name begins with the keyword yield is parsed as a variable', () => {
  const { fast } = both('function f() { var yield_ = 1; return yield_ }');
  expect(instrumented(fast)).toMatchObject({ sites: [{ name: 'f' }] });
});

test('the indexes in `slot` and the bits in `flag` match the layout in `fields`', () => {
  const places = (name: keyof typeof fields, field: string): number =>
    3 + (fields[name] ?? '').split(' ').findIndex((one) => one.replace(/[*=]$|:.*$/, '') === field);
  const bit = (name: keyof typeof fields, of: string): number =>
    1 << (/flags:(\S+)/.exec(fields[name] ?? '')?.[1] ?? '').split(',').indexOf(of);
  const owners = {
    arrow: 'ArrowFunctionExpression',
    assignment: 'AssignmentExpression',
    binary: 'BinaryExpression',
    conditional: 'ConditionalExpression',
    template: 'TemplateLiteral',
    assignmentPattern: 'AssignmentPattern',
    call: 'CallExpression',
    new: 'NewExpression',
    catch: 'CatchClause',
    class: 'ClassDeclaration',
    declaration: 'VariableDeclaration',
    declarator: 'VariableDeclarator',
    doWhile: 'DoWhileStatement',
    exportNamed: 'ExportNamedDeclaration',
    for: 'ForStatement',
    forIn: 'ForInStatement',
    forOf: 'ForOfStatement',
    function: 'FunctionDeclaration',
    labeled: 'LabeledStatement',
    member: 'MemberExpression',
    method: 'MethodDefinition',
    property: 'Property',
    switch: 'SwitchStatement',
    switchCase: 'SwitchCase',
    try: 'TryStatement',
    unary: 'UnaryExpression',
    update: 'UpdateExpression',
    while: 'WhileStatement',
    yield: 'YieldExpression',
  } as const;
  const { flags, first, ...named } = slot;
  expect([flags, first]).toEqual([3, 3]);
  expect(Object.keys(named)).toEqual(Object.keys(owners));
  for (const [key, owner] of Object.entries(owners)) {
    for (const [field, place] of Object.entries(Reflect.get(named, key)))
      expect(`${key}.${field} ${place}`).toBe(`${key}.${field} ${places(owner, field)}`);
    for (const [name, value] of Object.entries(Reflect.get(flag, key) ?? {}))
      expect(`${key}.${name} ${value}`).toBe(`${key}.${name} ${bit(owner, name)}`);
  }
  expect(Object.keys(fields).filter((name) => !(name in kind))).toEqual([]);
});
