import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync as swc } from '@swc/core';
import { transformSync as esbuild } from 'esbuild';
import ts from 'old-typescript';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { babel } from '../../test/compilers.ts';
import { instrument } from '../instrument/instrument.ts';
import type { RecordedStep } from '../record/recorded-step.ts';
import type { InstrumentedSite } from '../record/types.ts';
import { FunctionSources } from './function-sources.ts';

const WRITTEN_MS = Date.now() - 60_000;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sources-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a file whose modification time is `laterMs` later than the time of the other files. */
function write(name: string, text: string, laterMs = 0): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const at = new Date(WRITTEN_MS + laterMs);
  utimesSync(path, at, at);
  return path;
}

/** Instruments a file as if it were loaded. Returns the file's functions. */
function load(file: string, code: string): readonly InstrumentedSite[] {
  const made = instrument(code, {
    file,
    root,
    moduleKind: 'commonjs',
    language: 'js',
    reserveSites: () => 0,
    withMap: false,
  });
  if ('skipped' in made) throw new Error(made.skipped);
  for (const site of made.sites) site.origin = { file, loadedMs: Date.now() };
  return made.sites;
}

const listSteps = (sites: readonly InstrumentedSite[]): RecordedStep[] =>
  sites.map((site, sequence) => ({
    site,
    sequence,
    stepId: `${sequence}`,
    parentStepId: null,
    stepName: site.name,
    stepType: 'function',
    startMicros: 0,
    endMicros: 0,
    durationMs: 0,
  }));

const SOURCE = `const rates = new Map([['DE', { rate: 0.19 }]]);

/** Finds the rate. */
export async function findRate(country: string) {
  const entry = rates.get(country);
  if (entry === undefined) {
    throw new Error('no rate for ' + country);
  }
  return entry.rate;
}

export class Cart {
  private items: number[] = [];
  total(rate: number): number {
    const add = (sum: number, price: number) => {
      return sum + price * rate;
    };
    return this.items.reduce(add, 0);
  }
}
`;
const LINES = SOURCE.split('\n');
const readLines = (from: number, to: number) => LINES.slice(from - 1, to).join('\n');
const EXPECTED = [
  { line: 4, text: readLines(4, 10) },
  { line: 14, text: readLines(14, 19) },
  { line: 15, text: readLines(15, 17) },
];

interface Compiled {
  readonly code: string;
  readonly map: string;
}
const byTypeScript = (target: ts.ScriptTarget, inlineSources: boolean) => (): Compiled => {
  const { outputText, sourceMapText } = ts.transpileModule(SOURCE, {
    compilerOptions: { target, module: ts.ModuleKind.CommonJS, sourceMap: true, inlineSources },
    fileName: '../src/pay.ts',
  });
  const map: { sources: string[] } = JSON.parse(sourceMapText ?? '');
  map.sources = ['../src/pay.ts'];
  return { code: outputText.replace(/\n\/\/# sourceMappingURL.*/, ''), map: JSON.stringify(map) };
};
const byEsbuild = (): Compiled => {
  const { code, map } = esbuild(SOURCE, {
    loader: 'ts',
    format: 'cjs',
    target: 'es2015',
    sourcemap: 'external',
    sourcefile: '../src/pay.ts',
  });
  return { code, map };
};
const bySwc = (): Compiled => {
  const { code, map } = swc(SOURCE, {
    filename: '../src/pay.ts',
    sourceMaps: true,
    module: { type: 'commonjs' },
    jsc: { target: 'es5', parser: { syntax: 'typescript' } },
  });
  return { code, map: map ?? '' };
};
const byBabel = (): Compiled => {
  const plain = esbuild(SOURCE, { loader: 'ts', sourcemap: 'external', sourcefile: '../src/pay.ts' });
  const result = babel(plain.code, {
    configFile: false,
    babelrc: false,
    sourceMaps: true,
    inputSourceMap: JSON.parse(plain.map),
    sourceType: 'module',
  });
  const code = (result?.code ?? '')
    .replace(/^export (?=async|class)/gm, '')
    .replace(/^export \{[^}]*\};?$/m, '');
  return { code, map: JSON.stringify(result?.map) };
};

describe('the source code of functions that ran', () => {
  test.each([
    ['TypeScript to ES5', byTypeScript(ts.ScriptTarget.ES5, false)],
    ['TypeScript to ES2015', byTypeScript(ts.ScriptTarget.ES2015, false)],
    ['TypeScript to ES2022', byTypeScript(ts.ScriptTarget.ES2022, false)],
    ['esbuild', byEsbuild],
    ['SWC to ES5', bySwc],
    ['Babel after esbuild', byBabel],
  ])("is the author's source code for code compiled by %s", (_, compile) => {
    write('src/pay.ts', SOURCE);
    const { code, map } = compile();
    const text = `${code}\n//# sourceMappingURL=pay.js.map\n`;
    const file = write('dist/pay.js', text, 1000);
    write('dist/pay.js.map', map, 1000);
    const sent = new FunctionSources(root).collect(listSteps(load(file, text)));
    expect(sent).toHaveLength(1);
    const [source] = sent ?? [];
    expect(source?.file).toBe('src/pay.ts');
    expect(source?.version).toMatch(/^[\w-]{12}$/);
    expect(source?.functions?.toSorted((a, b) => a.line - b.line)).toEqual(expect.arrayContaining(EXPECTED));
  });

  test('comes from the source map if the author’s file is missing or was changed after it was compiled', () => {
    const { code, map } = byTypeScript(ts.ScriptTarget.ES2022, true)();
    const text = `${code}\n//# sourceMappingURL=pay.js.map\n`;
    const file = write('dist/pay.js', text);
    write('dist/pay.js.map', map);
    const sites = load(file, text);
    expect(new FunctionSources(root).collect(listSteps(sites))?.[0]?.functions).toEqual(
      expect.arrayContaining(EXPECTED),
    );
    write('src/pay.ts', `\n\n${SOURCE}`, 1000);
    expect(new FunctionSources(root).collect(listSteps(sites))?.[0]?.functions).toEqual(
      expect.arrayContaining(EXPECTED),
    );
  });

  test('is not sent again with the next trace, while the version of the file is sent with every trace', () => {
    const text = 'function a() {\n  return 1;\n}\nfunction b() {\n  return a();\n}\n';
    const file = write('app.js', text);
    const steps = listSteps(load(file, text));
    const sources = new FunctionSources(root);
    const [first] = sources.collect(steps.slice(0, 1)) ?? [];
    expect(first?.functions).toEqual([{ line: 1, text: 'function a() {\n  return 1;\n}' }]);
    const [second] = sources.collect(steps) ?? [];
    expect(second).toEqual({
      file: 'app.js',
      version: first?.version,
      functions: [{ line: 4, text: 'function b() {\n  return a();\n}' }],
    });
    expect(sources.collect(steps)).toEqual([{ file: 'app.js', version: first?.version }]);
  });

  test.each([
    ['a file that was changed since it was loaded', 120_000, 'function a() {\n  return 1;\n}'],
    ['lines that a tool packed', 0, `function a() {\n  return ${'1+'.repeat(600)}1;\n}`],
    ['a function that nobody would read', 0, `function a() {\n${'  b();\n'.repeat(10_000)}}`],
  ])('is not sent: %s', (_, laterMs, text) => {
    const file = write('app.js', text, laterMs);
    const sent = new FunctionSources(root).collect(listSteps(load(file, text)));
    expect(sent?.[0]?.functions).toBeUndefined();
  });

  test('is not sent for a deleted file, or for a file that changed after its load', () => {
    const text = 'function a() {\n  return 1;\n}\nfunction b() {\n  return a();\n}\n';
    const gone = load(join(root, 'gone.js'), text);
    expect(new FunctionSources(root).collect(listSteps(gone))).toBeUndefined();
    const file = write('app.js', text);
    const steps = listSteps(load(file, text));
    const sources = new FunctionSources(root);
    expect(sources.collect(steps.slice(0, 1))?.[0]?.functions).toHaveLength(1);
    write('app.js', `// new\n${text}`, 120_000);
    expect(sources.collect(steps)?.[0]?.functions).toBeUndefined();
  });

  test('does not depend on the line endings of the file, such as those of Windows', () => {
    const text = 'function a() {\r\n  return 1;\r\n}\r\n';
    const file = write('app.js', text);
    const sent = new FunctionSources(root).collect(listSteps(load(file, text)));
    expect(sent?.[0]?.functions).toEqual([{ line: 1, text: 'function a() {\n  return 1;\n}' }]);
  });

  test('is read from the disk for at most 50 ms after each response; the next responses read the remaining files', () => {
    const text = 'function a() {\n  return 1;\n}\nfunction b() {\n  return 2;\n}\n';
    const names = ['1.js', '2.js', '3.js', '4.js', '5.js'];
    const files = names.map((name) => load(write(name, text), text));
    // Each time the clock is read, 20 ms have passed, as if each file took 20 ms to read.
    let nowMs = 0;
    const sources = new FunctionSources(root, () => (nowMs += 20));
    const collect = (line: number) =>
      sources
        .collect(listSteps(files.flat().filter((site) => site.line === line)))
        ?.flatMap(({ file, functions }) => (functions === undefined ? [] : [file]));
    expect(collect(1)).toEqual(['1.js', '2.js']);
    expect(collect(1)).toEqual(['3.js', '4.js']);
    expect(collect(1)).toEqual(['5.js']);
    expect(collect(1)).toEqual([]);
    // For a function that did not run before, its file is read again.
    expect(collect(4)).toEqual(['1.js', '2.js']);
    expect(collect(4)).toEqual(['3.js', '4.js']);
  });
});
