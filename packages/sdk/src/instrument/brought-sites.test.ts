import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { load, record, tracedFile } from '../../test/traced.ts';
import { installRuntime } from '../record/frame.ts';
import { type Instrumented, instrument } from './instrument.ts';
import type { ModuleKind } from './parsers/parser.ts';

/** Instruments a source so that the code registers its own sites. The bundler plugin and Node 20's loader thread do the same. */
function bringing(source: string, moduleKind: ModuleKind = 'commonjs'): Instrumented {
  const result = instrument(source, {
    file: tracedFile,
    root: '/project',
    moduleKind,
    language: 'js',
    reserveSites: null,
    withMap: false,
  });
  if ('skipped' in result) throw new Error(result.skipped);
  return result;
}

const recordFlow = async (fn: (() => unknown) | undefined) =>
  (await record(fn)).flow.map(({ stepName, lineNumber }) => `${stepName}:${lineNumber}`);

describe('code that registers its own functions', () => {
  test('has its calls recorded, even if the code is loaded before the runtime is installed, and even if other such code is loaded', async () => {
    const one = load(bringing('exports.a = function a() { return b() }\nfunction b() { return 1 }').code);
    expect(one.a?.()).toBe(1);
    installRuntime();
    const two = load(bringing('\n\nexports.c = () => [1].map(function d(x) { return x })').code);
    const again = load(bringing('exports.e = function e() {}').code);
    expect(await recordFlow(one.a)).toEqual(['a:1', 'b:2']);
    expect(await recordFlow(two.c)).toEqual(['c:3', 'd:3']);
    expect(await recordFlow(again.e)).toEqual(['e:1']);
    expect(await recordFlow(one.a)).toEqual(['a:1', 'b:2']);
  });

  test.each([
    ['is frozen', Object.freeze({})],
    ['has another value under the SDK’s name', { __tl_sites: Object.freeze([]) }],
  ])('behaves like the original code if the global object %s', async (_, world) => {
    const { code } = bringing("'use strict'\nexports.sum = () => [1, 2].map((x) => x + 1).join()");
    const { sum } = load(code, { globalThis: world });
    expect(sum?.()).toBe('2,3');
    expect((await record(sum)).result).toBe('2,3');
  });

  test('is always the same for one source, so that bundlers can cache the code', () => {
    const source = 'export async function pay(order) { return await order }';
    expect(bringing(source, 'module').code).toBe(bringing(source, 'module').code);
  });

  test('keeps directives first and every line number', () => {
    for (const head of [
      "'use strict'",
      '"use strict";',
      "'use strict'\r\n;'use other'",
      '// a comment\n"use strict"',
    ]) {
      const source = `${head}\nexports.self = function () { return this }\nexports.line = () => new Error('x').stack`;
      const { self, line } = load(bringing(source).code);
      const plain = load(source);
      expect(Reflect.apply(self ?? Object, undefined, [])).toBe(undefined);
      const place = (stack: unknown) => /traced\.js:(\d+)/.exec(String(stack))?.[1];
      expect(place(line?.())).toBe(place(plain.line?.()));
    }
  });

  test('keeps a shebang as the first line', () => {
    for (const end of ['\n', '\r\n']) {
      const { code } = bringing(`#!/usr/bin/env node${end}function f() {}`);
      expect(code).toMatch(new RegExp(`^#!/usr/bin/env node${end}var `));
    }
  });

  test('behaves like the original code if a function is called before the module of the function has run, or is run elsewhere from its source text', async () => {
    const { early, text } = load(
      bringing('exports.early = f();\nfunction f() { return 7 }\nexports.text = () => String(f)').code,
    );
    expect(early).toBe(7);
    const elsewhere: unknown = vm.runInThisContext(`(${String(text?.())})`);
    expect(await recordFlow(() => (typeof elsewhere === 'function' ? elsewhere() : null))).toEqual([]);
    expect(vm.runInNewContext(`(${String(text?.())})()`)).toBe(7);
  });

  test('is not added to a source without functions', () => {
    expect(bringing('exports.a = 1').code).toBe('exports.a = 1');
  });
});
