import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sdk = join(import.meta.dirname, '../..');
const root = join(sdk, '../..');

/** Those whose own sources are instrumented; test/popular-packages.cjs says how each is used. */
const packages = [
  'lodash',
  'qs',
  'ms',
  'semver',
  'yaml',
  'js-yaml',
  'zod',
  'ini',
  'smol-toml',
  'picomatch',
  'minimatch',
  'path-to-regexp',
  'fast-check',
  'acorn',
  'lru-cache',
  'ip-address',
  'commander',
];

function run(env: Record<string, string>, flags: readonly string[]) {
  const preload = join(sdk, 'test', 'traced-process.ts');
  const traced = ['--conditions=source', '--no-warnings', '--import', preload];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...(flags.includes('traced') ? traced : []), join(sdk, 'test', 'popular-packages.cjs')],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      env: { PATH: process.env.PATH ?? '', ...env },
    },
  );
  const lines = stdout.split('\n');
  return {
    status,
    stderr,
    reports: lines.filter((line) => line.startsWith('report: ')),
    given: lines.filter((line) => !/^(report|flow): /.test(line)),
    flows: lines.filter((line) => line.startsWith('flow: ')),
  };
}

const include = { TRACED_INCLUDE: packages.map((name) => `node_modules/${name}`).join(',') };

test('popular packages give the same with their own sources instrumented', { timeout: 120_000 }, () => {
  const plain = run({}, []);
  expect(plain).toMatchObject({ status: 0, stderr: '' });
  expect(plain.given.map((line) => line.split(':', 1)[0]).filter((name) => name !== '')).toEqual(packages);
  const idle = run(include, ['traced']);
  expect(idle).toMatchObject({ status: 0, stderr: '', given: plain.given });
  // A source that is left alone would prove nothing.
  expect(idle.reports).toEqual([]);
  const recorded = run({ ...include, RECORDED: '1' }, ['traced']);
  expect(recorded).toMatchObject({ status: 0, stderr: '', given: plain.given });
  for (const [index, name] of packages.entries())
    expect(recorded.flows[index]).toContain(`"filePath":"node_modules/${name}/`);
});
