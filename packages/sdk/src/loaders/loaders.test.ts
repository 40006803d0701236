import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, describe, expect, test } from 'vitest';
import type { PlainStep } from '../../test/traced.ts';
import { project, removeProjects, run } from '../../test/traced-project.ts';

afterEach(removeProjects);

const places = (flow: readonly PlainStep[]): string[] =>
  flow.map(({ stepName, filePath, lineNumber }) => `${stepName} ${filePath}:${lineNumber}`);

describe('the loaders', () => {
  test('instrument ES modules, CommonJS and TypeScript that load each other, next to JSON', () => {
    const root = project({
      'package.json': '{"type": "module"}',
      'main.js': `#!/usr/bin/env node
import { esm } from './lib/esm.js'
import cjs, { named } from './lib/cjs.cjs'
import { typed } from './lib/typed.ts'
import data from './data.json' with { type: 'json' }
await record(async function main() { esm(); cjs.cjs(); named(); typed(1); (await import('./lib/later.mjs')).later(); cjs.requires(); return data.n })`,
      'data.json': '{"n": 1}',
      'lib/esm.js': '\nexport function esm() {}',
      'lib/cjs.cjs':
        'exports.cjs = function () {}\nexports.named = () => 1\nexports.requires = () => { require("./required.mjs").inner(); require("./typed.cts").common({ a: 1 }) }',
      'lib/typed.ts':
        'interface N { n: number }\nexport function typed<T extends number>(x: T): N { const y: N = { n: x }; return y as N }',
      'lib/typed.cts': 'exports.common = function (v: object): object { return v }',
      'lib/later.mjs': 'export const later = () => 2',
      'lib/required.mjs': 'export const inner = () => 3',
    });
    const { flow, reports, stderr, status } = run(root, ['main.js']);
    expect({ status, stderr, reports }).toEqual({ status: 0, stderr: '', reports: [] });
    expect(places(flow)).toEqual([
      'main main.js:6',
      'esm lib/esm.js:2',
      'cjs lib/cjs.cjs:1',
      'named lib/cjs.cjs:2',
      'typed lib/typed.ts:2',
      'later lib/later.mjs:1',
      'requires lib/cjs.cjs:3',
      'inner lib/required.mjs:1',
      'common lib/typed.cts:1',
    ]);
    expect(flow.find(({ stepName }) => stepName === 'typed')?.variables?.localVariables).toEqual({
      y: { n: 1 },
    });
  });

  test.runIf(isThorough())(
    'instrument CommonJS, ES modules and TypeScript in a package without `type`, with and without extensions in `require`',
    () => {
      const root = project({
        'package.json': '{}',
        'main.js':
          "const { a } = require('./a'); const b = require('./b.js'), { t } = require('./t.ts'); record(function main() { a(); b.b(); t(1) })",
        'a.js': 'exports.a = function () { return typeof require }',
        'b.js': 'export function b() { return import.meta.url }',
        't.ts': 'exports.t = function (n: number): number { return n as number }',
      });
      const { flow, status, stderr } = run(root, ['main.js']);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(places(flow)).toEqual(['main main.js:1', 'a a.js:1', 'b b.js:1', 't t.ts:1']);
    },
  );

  test.runIf(isThorough())(
    'instrument linked workspaces but no libraries, unless the options include and exclude say otherwise',
    () => {
      const root = project({
        'package.json': '{}',
        'main.cjs':
          "const l = require('lib'), s = require('shared'), x = require('./src/x.gen.cjs'); record(function main() { l.lib(); s.shared(); x.generated() })",
        'src/x.gen.cjs': 'exports.generated = () => 1',
        'node_modules/lib/index.js': 'exports.lib = () => 1',
        'packages/shared/index.js': 'exports.shared = () => 1',
      });
      symlinkSync(join(root, 'packages/shared'), join(root, 'node_modules/shared'));
      const names = (env: Record<string, string>): string[] =>
        run(root, ['main.cjs'], env).flow.map((step) => step.stepName);
      expect(names({})).toEqual(['main', 'shared', 'generated']);
      expect(names({ TRACED_EXCLUDE: '**/*.gen.cjs,packages' })).toEqual(['main']);
      expect(names({ TRACED_INCLUDE: 'main.cjs,node_modules/lib' })).toEqual(['main', 'lib']);
    },
  );

  test("report an invalid file once and let it fail as without the SDK, and do not trace a file that uses the SDK's reserved names", () => {
    const root = project({
      'package.json': '{"type": "module"}',
      'main.js':
        "import { f } from './ours.js'; await record(f); for (const n of [1, 2]) try { await import('./broken.js?' + n) } catch (e) { console.log(e.name) }",
      'broken.js': 'export const = 3',
      'ours.js': 'const __tl_mine = 1; export function f() { return __tl_mine }',
    });
    const { output, reports, status } = run(root, ['main.js']);
    expect(status).toBe(0);
    expect(output).toBe('SyntaxError\nSyntaxError\n');
    expect(reports).toEqual([
      expect.stringMatching(/ours\.js is not traced: it uses names that begin with __tl_/),
      expect.stringMatching(/broken\.js is not traced: it cannot be parsed/),
    ]);
  });

  test.runIf(isThorough())('leave stacks, exit status and output of the program unchanged', () => {
    const files = {
      'package.json': '{"type": "module"}',
      'main.js': `import { deep } from './deep.js'
class Shop {
  async pay(order) {
    await null
    try {
      return deep(order)
    } catch (error) {
      throw new Error('wrapped', { cause: error })
    }
  }
}
const lines = (e) => e.stack.split('\\n').map((l) => l.replace(/:\\d+\\)?$/, '')).join('\\n')
await new Shop().pay({}).catch((e) => console.log(lines(e), lines(e.cause)))
process.on('exit', (code) => console.log('exit', code))
setTimeout(function boom() { null.x }, 1)`,
      'deep.js': `export function deep(order) {
  const pick = (o) =>
    o.items.length
  return pick(order)
}`,
    };
    const root = project(files);
    const plain = run(root, ['main.js'], {}, false);
    const traced = run(root, ['main.js']);
    expect(plain.output).toContain('deep.js:3');
    expect(traced.output).toBe(plain.output);
    expect(traced.status).toBe(plain.status);
    expect(traced.stderr).toContain("Cannot read properties of null (reading 'x')");
  });

  test('show the author’s file and line on steps if there is a source map, and in stacks with --enable-source-maps', () => {
    const author =
      "// one\n// two\nexport function pay(order: { id: number }) {\n  throw new Error('no')\n}\n";
    // A compiler's output: one line, mapped to lines 3 and 4 of the source.
    const compiled = "export function pay(order) { throw new Error('no') }";
    const map = {
      version: 3,
      sources: ['../src/pay.ts'],
      sourcesContent: [author],
      names: [],
      mappings: 'AAEA,OAAO,SAAS,GAAG,QACjB,MAAM,IAAI,MAAM,KAAK',
    };
    const inline = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
    const main =
      "import { pay } from './dist/pay.js'; await record(pay); try { pay() } catch (e) { console.log(e.stack.split('\\n')[1]) }";
    for (const [url, beside] of [
      [inline, {}],
      ['pay.js.map', { 'dist/pay.js.map': JSON.stringify(map) }],
    ] as const) {
      const root = project({
        'package.json': '{"type": "module"}',
        'main.js': main,
        'dist/pay.js': `${compiled}\n//# sourceMappingURL=${url}\n`,
        ...beside,
      });
      const traced = run(root, ['--enable-source-maps', 'main.js']);
      expect(places(traced.flow)).toEqual(['pay src/pay.ts:3']);
      expect(traced.output).toContain('src/pay.ts:4');
      expect(run(root, ['main.js']).output).toContain('dist/pay.js:1');
    }
  });

  test('do not change code that a library compiles itself, whatever the file name of the code', () => {
    const root = project({
      'package.json': '{}',
      'main.cjs': `const Module = require('node:module')
for (const name of ['', 'virtual.js', '/nowhere/at/all.js', 'a\0b', __filename, undefined, 7]) {
  const module = new Module('made')
  try { module._compile('exports.f = () => 1', name) } catch (error) { console.log(name, error.code) }
  console.log(name, typeof module.exports.f, module.exports.f?.())
}`,
    });
    expect(run(root, ['main.cjs']).output).toBe(run(root, ['main.cjs'], {}, false).output);
  });

  test('show the loaded file and line if a source map cannot be read', () => {
    const root = project({
      'package.json': '{}',
      'main.cjs': 'record(function main() {})\n//# sourceMappingURL=missing.map',
    });
    const { flow, status } = run(root, ['--enable-source-maps', 'main.cjs']);
    expect(status).toBe(0);
    expect(places(flow)).toEqual(['main main.cjs:1']);
  });
});
