import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asTaken, plainRules } from '../../test/traced.ts';
import { defaultLimits } from '../record/capture/limits.ts';
import type { RecordedStep } from '../record/recorded-step.ts';
import { Snapshotter } from '../record/snapshot/snapshot.ts';
import { mapStack, withAuthorsStacks } from './authors-stacks.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-stacks-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes dist/pay.js, and a source map from line 2 of dist/pay.js to line 3 of src/pay.ts. */
function compiled(
  map: object | string = { version: 3, sources: ['../src/pay.ts'], names: [], mappings: ';AAEA' },
): string {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const file = join(folder, 'dist', 'pay.js');
  writeFileSync(file, "'use strict';\nfail();\n//# sourceMappingURL=pay.js.map\n");
  writeFileSync(`${file}.map`, typeof map === 'string' ? map : JSON.stringify(map));
  return file;
}

test("each frame in a compiled file shows the author's position; other frames stay unchanged", () => {
  const file = compiled();
  const source = join(folder, 'src', 'pay.ts');
  const other = join(folder, 'other.js');
  writeFileSync(other, 'fail();\n');
  const stack = (named: (path: string) => string, at: string) =>
    [
      'Error: no (really)',
      `    at charge (${named(file)}${at})`,
      `    at async Till.pay [as buy] (${named(file)}${at})`,
      `    at ${named(file)}${at}`,
    ].join('\n');
  const others = `\n    at run (${other}:1:1)\n    at gone (${folder}/gone.js:1:1)\n    at node:internal/main:2:1\n    at eval (eval at a (${file}:2:1), <anonymous>:1:1)`;
  for (const named of [String, (path: string) => pathToFileURL(path).href]) {
    expect(mapStack(stack(named, ':2:1') + others)).toBe(stack(() => `${source}:3`, '') + others);
  }
  // The source map contains none of these positions of the compiled file.
  for (const at of ['1:1', '0:0', '2:0', '99999999999999999999:1'])
    expect(mapStack(`    at charge (${file}:${at})`)).toBe(`    at charge (${file}:${at})`);
});

test.each([['{'], ['null'], [''], ['{"version": 3, "sources": [], "mappings": "AAAA"}']])(
  'an invalid source map leaves the positions in a stack unchanged: %s',
  (map) => {
    const stack = `Error: x\n    at charge (${compiled(map)}:2:1)`;
    expect(mapStack(stack)).toBe(stack);
  },
);

test.each([
  '/dev/zero',
  '/dev/zero.js',
  '/dev/stdin',
  'file://elsewhere/a.js',
  'file:///a%00b.js',
  '/tmp',
  '/tmp/a\u0000.js',
  '/a.js:1',
])('a stack that contains the path %s is unchanged', (file) => {
  const stack = `Error: x\n    at charge (${file}:2:1)`;
  expect(mapStack(stack)).toBe(stack);
});

test('a path that is not a regular file is not read, even if it ends in .js', () => {
  const endless = join(folder, 'endless.js');
  symlinkSync('/dev/zero', endless);
  expect(mapStack(`    at charge (${endless}:2:1)`)).toBe(`    at charge (${endless}:2:1)`);
});

/** Creates a bundle of `lines` lines, each of which maps to line 7 of src/pay.ts. */
function bundled(lines: number): string {
  const file = compiled({
    version: 3,
    sources: ['../src/pay.ts'],
    sourcesContent: ['x'.repeat(1024 * 1024)],
    names: [],
    mappings: `AAMA${';AAAA'.repeat(lines - 1)}`,
  });
  const code = 'fail(); // 0123456789012345678901234567890123456789\n'.repeat(lines);
  writeFileSync(file, `${code}//# sourceMappingURL=pay.js.map\n`);
  return file;
}

test("frames in a bundle of several megabytes show the author's positions", () => {
  const file = bundled(100_000);
  const source = join(folder, 'src', 'pay.ts');
  expect(mapStack(`    at charge (${file}:99999:1)`)).toBe(`    at charge (${source}:7)`);
});

test("frames in a file that is too large to read at once show the author's positions after some time", async () => {
  const file = bundled(700_000);
  const source = join(folder, 'src', 'pay.ts');
  expect(mapStack(`    at charge (${file}:699999:1)`)).toBe(`    at charge (${file}:699999:1)`);
  await vi.waitFor(
    () => expect(mapStack(`    at charge (${file}:699999:1)`)).toBe(`    at charge (${source}:7)`),
    { timeout: 60_000 },
  );
});

test("the stacks of captured errors show the author's positions; the captured values are otherwise unchanged", () => {
  const file = compiled();
  const stack = `Error: "x"\n    at charge (${file}:2:1)`;
  const cause = Object.assign(new Error('deep'), { stack });
  const error = Object.assign(new Error('"stack":"', { cause }), { stack });
  const snapshotter = new Snapshotter(defaultLimits, plainRules);
  snapshotter.beginStep();
  const inputs = snapshotter.take({ error, text: stack, own: { stack } }, ['inputs']);
  const step: RecordedStep = {
    stepId: '1',
    parentStepId: null,
    sequence: 0,
    stepName: 'pay',
    stepType: 'function',
    startMicros: 0,
    endMicros: 0,
    durationMs: 0,
    inputs,
    error: { message: '"x"', stack },
  };
  const mapped = stack.replace(`${file}:2:1`, `${join(folder, 'src', 'pay.ts')}:3`);
  snapshotter.deferred.readAll();
  const [shown] = withAuthorsStacks([step], snapshotter.budget.writer.stacks);
  expect(shown?.error).toEqual({ message: '"x"', stack: mapped });
  expect(shown && asTaken(shown).inputs).toMatchObject({
    error: { message: '"stack":"', stack: mapped, cause: { message: 'deep', stack: mapped } },
    text: stack,
    own: { stack },
  });
});
