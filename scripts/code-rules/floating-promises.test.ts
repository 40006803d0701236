import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../workspace.mjs';
import { findFloatingPromises, readPromiseMethods } from './floating-promises.ts';

const methods = readPromiseMethods();
const files = execFileSync('git', ['ls-files', 'bench/*.ts', 'e2e/*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ text }) => /from '@?playwright/.test(text));

describe('promises of Playwright', () => {
  it('are awaited in all benchmarks and browser tests', () => {
    expect(files.map(({ path }) => path)).toContain('bench/ui/ui.ts');
    expect(files.flatMap((file) => findFloatingPromises(file, methods))).toEqual([]);
  });

  it.each([
    ['page.goto("/dashboard");', ['bench/x.ts:1: goto() is not awaited']],
    ['scripts.map((one) => {\n  one.body();\n});', ['bench/x.ts:2: body() is not awaited']],
    [
      'page.on("response", async (response) => {\n  sizes.push(await response.body());\n});',
      ['bench/x.ts:1: the promise of an asynchronous listener is not awaited'],
    ],
    ['await page.goto("/dashboard");', []],
    ['void page.goto("/dashboard");', []],
    ['page.on("response", (response) => void list.push(response));', []],
    ['page.goto("/dashboard").catch(() => undefined);', []],
  ])('in %j are found if they are not awaited', (text, expected) => {
    expect(findFloatingPromises({ path: 'bench/x.ts', text }, methods)).toEqual(expected);
  });

  it('are returned by exactly the methods for which Playwright’s types declare a promise', () => {
    for (const name of ['goto', 'click', 'evaluate', 'body', 'waitForTimeout'])
      expect(methods).toContain(name);
    for (const name of ['locator', 'on', 'toString']) expect(methods).not.toContain(name);
  });
});
