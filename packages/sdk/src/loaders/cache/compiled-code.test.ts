import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { project, type Run, removeProjects, run } from '../../../test/traced-project.ts';

afterEach(removeProjects);

/** Environment variables: turns on the SDK's cache, and sets no folder for compiled code, so that the SDK chooses the folder. */
const cached = { TRACED_KEEP: '1', NODE_COMPILE_CACHE: '' };
const PRICE = 'exports.price = function price(cents) { return cents + 1 }';
const COMPILED = 'node_modules/.cache/throughline/compiled';
const startHost = (files: Record<string, string> = {}) =>
  project({
    'package.json': '{"type": "commonjs"}',
    'node_modules/.keep': '',
    'price.js': PRICE,
    'main.js': `
      record(() => require('./price.js').price(449));
      console.log(require('node:module').getCompileCacheDir() ?? 'no cache');
      setTimeout(() => {}, 300)`,
    ...files,
  });

const findPrice = ({ flow }: Run) => flow.find(({ stepName }) => stepName === 'price');

describe('compiled code', () => {
  test('is cached from the second start on, and a start that uses the cached code records the same steps', () => {
    const root = startHost();
    const first = run(root, ['main.js'], cached);
    expect(first.output).toContain('no cache');
    expect(existsSync(join(root, COMPILED))).toBe(false);
    const second = run(root, ['main.js'], cached);
    expect(second.output).toContain(join(root, COMPILED));
    expect(readdirSync(join(root, COMPILED), { recursive: true }).length).toBeGreaterThan(1);
    const later = run(root, ['main.js'], cached);
    expect(later.output).toBe(second.output);
    expect(findPrice(later)).toMatchObject({ outputs: 450 });
    expect(later.flow).toHaveLength(first.flow.length);
  });

  test('is written when the start is over, so that later starts can use it even if a signal ends the process', () => {
    const root = startHost({
      'killed.js': `require('./price.js'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000)`,
    });
    for (const _start of ['first', 'second']) expect(run(root, ['killed.js'], cached).status).toBeNull();
    expect(readdirSync(join(root, COMPILED), { recursive: true }).length).toBeGreaterThan(1);
  });

  test('is compiled again after its source has changed', () => {
    const root = startHost();
    for (const _start of ['first', 'second']) run(root, ['main.js'], cached);
    writeFileSync(join(root, 'price.js'), PRICE.replace('+ 1', '+ 2'));
    expect(findPrice(run(root, ['main.js'], cached))).toMatchObject({ outputs: 451 });
  });

  test.each([
    ['the cache of the SDK is off', { ...cached, TRACED_KEEP: '' }, 'no cache'],
    ['coverage is measured', { ...cached, NODE_V8_COVERAGE: 'coverage' }, 'no cache'],
    ['caches of compiled code are disabled', { ...cached, NODE_DISABLE_COMPILE_CACHE: '1' }, 'no cache'],
    ['the host has chosen a cache', { ...cached, NODE_COMPILE_CACHE: 'chosen' }, 'chosen'],
  ])('is not cached by the SDK if %s', (_case, env, output) => {
    const root = startHost();
    run(root, ['main.js'], env);
    expect(run(root, ['main.js'], env).output).toContain(output);
    expect(existsSync(join(root, COMPILED))).toBe(false);
  });
});
