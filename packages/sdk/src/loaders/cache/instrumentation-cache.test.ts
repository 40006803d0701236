import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isThorough, pickRows, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { project, type Run, removeProjects, run } from '../../../test/traced-project.ts';
import { toCachedSite } from './cached-sites.ts';
import { InstrumentationCache } from './instrumentation-cache.ts';

afterEach(removeProjects);

// The SDK uses Node's own timer. Here the SDK gets the global `setTimeout`, which tests can fake.
vi.mock('../../internal/timers.ts', async (load) => ({
  ...(await load<typeof import('../../internal/timers.ts')>()),
  setTimeout: (run: () => void, ms: number) => globalThis.setTimeout(run, ms),
}));

const keep = { TRACED_KEEP: '1' };
/** Keeps the process alive, as a service would, until the instrumented code has been written. */
const stay = 'setTimeout(() => {}, 300)';
const host = {
  'package.json': '{"type": "commonjs"}',
  'node_modules/.keep': '',
  'price.js': 'exports.price = function price(cents) { const text = "cost"; return text + cents }',
  'main.js': `record(() => { console.log(require('./price.js').price(450)) }); ${stay}`,
};
const kept = (root: string): string => join(root, 'node_modules/.cache/throughline/instrumented');
const seen = ({ status, output, flow }: Run) => ({
  status,
  output: output.trim(),
  flow: flow.map((step) => [step.stepName, step.filePath, step.lineNumber, step.inputs, step.variables]),
});

describe('a second start', () => {
  test('runs the code that the first start cached, and records the same steps', () => {
    const root = project(host);
    const first = seen(run(root, ['main.js'], keep));
    expect(first).toMatchObject({ status: 0, output: 'cost450' });
    // Changes only the instrumented code in the cache file, not the original source next to it.
    const bytes = readFileSync(kept(root), 'latin1');
    const at = bytes.lastIndexOf('"cost"');
    expect(at).toBeGreaterThan(bytes.indexOf('"cost"'));
    writeFileSync(kept(root), `${bytes.slice(0, at)}"kept"${bytes.slice(at + 6)}`, 'latin1');
    expect(seen(run(root, ['main.js'], keep)).output).toBe('kept450');
    writeFileSync(kept(root), bytes, 'latin1');
    expect(seen(run(root, ['main.js'], keep))).toMatchObject({ ...first, flow: first.flow });
  });

  test('reads the cache of its own project if two projects have their packages in a folder above them', () => {
    const { 'node_modules/.keep': keptFolder, ...own } = host;
    const inFolder = (name: string, files: Record<string, string>) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]));
    const root = project({
      'node_modules/.keep': keptFolder,
      ...inFolder('shop', own),
      ...inFolder('mail', { ...own, 'price.js': own['price.js'].replace('cost', 'mail') }),
    });
    const outputs = [1, 2].flatMap(() =>
      ['shop', 'mail'].map((name) => run(join(root, name), ['main.js'], keep).output.trim()),
    );
    expect(outputs).toEqual(['cost450', 'mail450', 'cost450', 'mail450']);
    expect(readdirSync(dirname(kept(root))).sort()).toEqual(['instrumented-mail', 'instrumented-shop']);
  });

  test('instruments a changed file and newly loaded files', () => {
    const root = project(host);
    run(root, ['main.js'], keep);
    writeFileSync(join(root, 'price.js'), host['price.js'].replace('cost', 'sum'));
    writeFileSync(join(root, 'tax.js'), 'exports.tax = function tax(cents) { return cents / 5 }');
    const more = host['main.js'].replace('price(450)', 'price(require("./tax.js").tax(50))');
    writeFileSync(join(root, 'main.js'), more);
    for (const _ of [1, 2]) {
      const again = run(root, ['main.js'], keep);
      expect(again.output.trim()).toBe('sum10');
      expect(again.flow.map(({ stepName, filePath }) => `${stepName} ${filePath}`)).toEqual([
        'record() callback main.js',
        'tax tax.js',
        'price price.js',
      ]);
    }
  });

  test.each(
    pickRows(
      [
        ['cut off', (bytes: string) => bytes.slice(0, -1)],
        ['cut off in its index', (bytes: string) => bytes.slice(0, 20)],
        ['empty', () => ''],
        ['of another format', () => '{"made": 1}\n'],
        ['of another version', (bytes: string) => bytes.replace(/"made":"[^"]*"/, '"made":"0.0.1"')],
        ['without its sites', (bytes: string) => bytes.replaceAll('"sync"', '"none"')],
        ['without valid JSON for its sites', (bytes: string) => bytes.replaceAll('"sync"', '"sync,')],
        ['with too few ids in its index', (bytes: string) => bytes.replace(/"ids":\d+/, '"ids":1')],
      ],
      { usually: 3 },
    ),
  )('ignores a cache file that is %s', (_, damage) => {
    const root = project(host);
    const first = seen(run(root, ['main.js'], keep));
    const whole = readFileSync(kept(root), 'latin1');
    writeFileSync(kept(root), damage(whole), 'latin1');
    expect(seen(run(root, ['main.js'], keep))).toEqual(first);
    expect(readFileSync(kept(root), 'latin1').length).toBeGreaterThanOrEqual(whole.length);
  });
});

test.runIf(isThorough())(
  'a host runs in the same way if the cache cannot be written; without node_modules or with the cache turned off, no cache is written',
  () => {
    const root = project({ ...host, 'node_modules/.cache': 'a file' });
    expect(seen(run(root, ['main.js'], keep))).toMatchObject({ status: 0, output: 'cost450' });
    const without = project(host);
    run(without, ['main.js']);
    rmSync(join(root, 'node_modules'), { recursive: true });
    run(root, ['main.js'], keep);
    expect([existsSync(kept(without)), existsSync(join(root, 'node_modules'))]).toEqual([false, false]);
  },
);

test.runIf(isThorough())(
  'a source that names a source map is never cached, since the map may change separately',
  () => {
    const root = project({ ...host, 'price.js': `${host['price.js']}\n//# sourceMappingURL=price.js.map` });
    run(root, ['main.js'], keep);
    const index = readFileSync(kept(root), 'latin1').split('\n', 1)[0];
    expect(index).toContain('main.js');
    expect(index).not.toContain('price.js');
  },
);

describe('the cache in one process', () => {
  const insertions = Uint8Array.of(3, 8);
  const site = {
    name: 'f',
    file: 'a.js',
    line: 1,
    kind: 'sync',
    inputs: ['x'],
    bindings: ['x', 'ÿ€'],
    parameters: 1,
    returns: true,
  } as const;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kept-'));
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });
  /** Ends the start phase and waits until the cache file is written. */
  async function written(path: string): Promise<void> {
    const before = existsSync(path) ? readFileSync(path, 'latin1') : '';
    vi.runAllTimers();
    vi.useRealTimers();
    await vi.waitFor(
      () => {
        expect(readFileSync(path, 'latin1')).not.toBe(before);
        expect(readdirSync(join(path, '..')).filter((name) => name !== 'file')).toEqual([]);
      },
      { interval: 1 },
    );
    vi.useFakeTimers();
  }

  test('finds the code of exactly the same source, and of no other source', async () => {
    const sources = fc.uniqueArray(fc.record({ key: fc.string(), source: fc.string({ unit: 'binary' }) }), {
      selector: ({ key }) => key,
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(sources, fc.string(), async (all, other) => {
        const path = join(mkdtempSync(join(folder, 'run-')), 'file');
        const first = new InstrumentationCache(path, 'v1', 20);
        all.forEach(({ key, source }, index) => {
          first.keep(key, source, {
            code: `${source}/*${index}*/`,
            firstSite: 10 + index,
            sites: [site],
            insertions,
          });
        });
        await written(path);
        const later = new InstrumentationCache(path, 'v1', 20);
        expect(later.ids).toBe(10 + all.length);
        all.forEach(({ key, source }, index) => {
          const found = later.find(key, source);
          expect(found).toEqual({
            code: `${source}/*${index}*/`,
            firstSite: 10 + index,
            sites: [site],
            insertions,
          });
          if (other !== source) expect(later.find(key, other)).toBeUndefined();
        });
        expect(new InstrumentationCache(path, 'v2', 20).isEmpty).toBe(true);
      }),
      { numRuns: repetitions({ usually: 3, thoroughly: 200 }) },
    );
  });

  test('keeps entries that a process did not use, and stays valid if several processes write at the same time', async () => {
    const path = join(folder, 'file');
    const first = new InstrumentationCache(path, 'v1', 20);
    first.keep('a', 'a()', { code: 'A()', firstSite: 0, sites: [site], insertions });
    await written(path);
    const many = Array.from({ length: 5 }, () => new InstrumentationCache(path, 'v1', 20));
    many.forEach((one, index) => {
      one.keep(`b${index}`, 'b()', { code: `B${index}()`, firstSite: one.ids, sites: [site], insertions });
    });
    await written(path);
    const last = new InstrumentationCache(path, 'v1', 20);
    expect(last.find('a', 'a()')?.code).toBe('A()');
    const found = [0, 1, 2, 3, 4].filter((index) => last.find(`b${index}`, 'b()')?.code === `B${index}()`);
    // The code of all five caches has the same ids, so only the code of one cache may be stored.
    expect([found.length, last.ids]).toEqual([1, 2]);
  });

  test('does not store the role that a framework gives a function', () => {
    expect(toCachedSite({ ...site, role: 'handler' })).not.toContain('handler');
  });

  test('is neither read nor written after the start of the program', async () => {
    const path = join(folder, 'file');
    const one = new InstrumentationCache(path, 'v1', 20);
    one.keep('a', 'a()', { code: 'A()', firstSite: 0, sites: [site], insertions });
    await written(path);
    one.keep('b', 'b()', { code: 'B()', firstSite: 1, sites: [site], insertions });
    vi.runAllTimers();
    expect(one.find('a', 'a()')).toBeUndefined();
    const later = new InstrumentationCache(path, 'v1', 20);
    expect([later.find('a', 'a()')?.code, later.find('b', 'b()')]).toEqual(['A()', undefined]);
  });
});
