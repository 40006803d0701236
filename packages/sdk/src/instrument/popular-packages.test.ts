import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { compiled } from '../../test/traced-project.ts';

const sdk = join(import.meta.dirname, '../..');
const root = join(sdk, '../..');

/** Packages whose sources are instrumented. The programs in test/ use each package. */
const required = [
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
  'ajv',
  'lru-cache',
  'ip-address',
  'commander',
];
const imported = [
  'zod',
  'smol-toml',
  'lru-cache',
  'minimatch',
  'fast-check',
  'acorn',
  'js-yaml',
  'marked',
  'uuid',
  'commander',
];

function run(program: string, env: Record<string, string>, flags: readonly string[] = []) {
  const preload = join(sdk, 'test', 'traced-process.ts');
  const traced = ['--conditions=source', '--no-warnings', '--import', preload];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...(flags.includes('traced') ? traced : []), join(sdk, 'test', program)],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      env: { PATH: process.env.PATH ?? '', ...compiled, ...env },
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

test.each(
  pickRows(
    [
      ['CommonJS', 'popular-packages.cjs', required],
      ['ES modules', 'popular-modules.mjs', imported],
    ],
    { usually: 1 },
  ),
)(
  'popular packages (%s) give the same results with and without instrumentation of their sources',
  (_, program, packages) => {
    const include = { TRACED_INCLUDE: packages.map((name) => `node_modules/${name}`).join(',') };
    const plain = run(program, {});
    expect(plain).toMatchObject({ status: 0, stderr: '' });
    expect(plain.given.map((line) => line.split(':', 1)[0]).filter((name) => name !== '')).toEqual(packages);
    if (isThorough()) {
      const idle = run(program, include, ['traced']);
      expect(idle).toMatchObject({ status: 0, stderr: '', given: plain.given, reports: [] });
    }
    const recorded = run(program, { ...include, RECORDED: '1' }, ['traced']);
    expect(recorded).toMatchObject({ status: 0, stderr: '', given: plain.given });
    // Fails if a source was not instrumented, because running it would then prove nothing.
    expect(recorded.reports).toEqual([]);
    for (const [index, name] of packages.entries())
      expect(recorded.flows[index]).toContain(`"filePath":"node_modules/${name}/`);
  },
);
