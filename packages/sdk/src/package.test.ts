import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';

const home = join(import.meta.dirname, '..');
const tarball = join(home, 'packed', 'throughline-node.tgz');
let folder: string;
let unpacked: string;

beforeAll(() => {
  if (!existsSync(tarball)) throw new Error('the SDK is not packed: npm run build');
  folder = mkdtempSync(join(tmpdir(), 'throughline-package-'));
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  unpacked = join(folder, 'package');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('publint finds no problem in the package', async () => {
  const { messages } = await publint({ pkgDir: unpacked, strict: true, pack: false });
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
});

test("the package's types are correct for each kind of import", async () => {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  const problems = checked.types === false ? [{ kind: 'no types' }] : checked.problems;
  // Ignores problems with the way in which TypeScript resolved modules before Node had `exports`: every Node that the SDK supports has
  // `exports`.
  expect(
    problems.filter((problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10')),
  ).toEqual([]);
});

test('the package is small, and its dependencies have no install scripts', () => {
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const bytes = measureFolder(unpacked);
  process.stdout.write(`packed ${statSync(tarball).size} bytes, unpacked ${bytes}\n`);
  expect(statSync(tarball).size).toBeLessThan(350_000);
  expect(bytes).toBeLessThan(1_230_000);
  for (const name of Object.keys(manifest.dependencies)) {
    const of = JSON.parse(readFileSync(join(home, '..', '..', 'node_modules', name, 'package.json'), 'utf8'));
    expect(Object.keys(of.scripts ?? {}).filter((script) => /^(pre|post)?install$/.test(script))).toEqual([]);
  }
});

test('the package and its dependencies have at most 8 MB and include no bundler', () => {
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies)).not.toContain('rollup');
  const names = ['dependencies', 'optionalDependencies'].flatMap((list) => Object.keys(manifest[list]));
  // Only the native parsers for this machine are installed, so only these are checked.
  const folders = names.map((name) => join(home, '..', '..', 'node_modules', name)).filter(existsSync);
  expect(folders.filter((path) => path.includes('@rollup') || path.includes('@oxc-parser'))).toHaveLength(2);
  const bytes = [unpacked, ...folders].reduce((sum, path) => sum + measureFolder(path), 0);
  expect(bytes).toBeLessThan(8_000_000);
});

test.each(['--require=dist/auto.cjs', '--import=./dist/auto.mjs'])(
  "the package loaded by %s does not load Node's fetch, because fetch sets a dispatcher that another version of undici would use",
  (flag) => {
    const program = "console.log(Symbol.for('undici.globalDispatcher.1') in globalThis)";
    const path = flag.replace('=dist', `=${join(home, 'dist')}`);
    const { stdout } = spawnSync(process.execPath, [path, '--eval', program], {
      encoding: 'utf8',
      cwd: home,
    });
    expect(stdout).toBe('false\n');
  },
);

function measureFolder(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test("the package's command is an executable script", () => {
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const file = join(unpacked, manifest.bin['throughline-node']);
  expect(statSync(file).mode & 0o111).toBe(0o111);
  expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('the package contains its own files and nothing else of the workspace', () => {
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: '@throughline/node',
    license: 'Apache-2.0',
    engines: { node: '>=20.6' },
  });
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('scripts');
  expect(manifest).not.toHaveProperty('devDependencies');
  expect(Object.keys(manifest.exports)).toEqual(['.', './auto', './plugin', './package.json']);
  expect(readdirSync(unpacked).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  const files = readdirSync(join(unpacked, 'dist'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = readFileSync(join(file.parentPath, file.name), 'utf8');
    expect(text).not.toMatch(/['"]@throughline\/contract/);
    if (file.name.includes('.d.')) expect(text).not.toMatch(/from '[^']*\.ts'/);
  }
});

test('import and require of the installed package return the same functions', () => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@throughline'), { recursive: true });
  renameSync(unpacked, join(modules, '@throughline', 'node'));
  const installed = join(modules, '@throughline', 'node');
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(home, '..', '..', 'node_modules', name), join(modules, name));
  }
  const script = join(folder, 'app.mjs');
  writeFileSync(
    script,
    `import * as imported from '@throughline/node';
import { createRequire } from 'node:module';
const required = createRequire(import.meta.url)('@throughline/node');
const names = Object.keys(imported).filter((name) => !['default', 'module.exports'].includes(name));
console.log(names.sort().join(' '), names.every((name) => imported[name] === required[name]));
console.log(imported.step('outside a request', () => 7));`,
  );
  for (const flag of ['--import', '--require']) {
    const printed = execFileSync(process.execPath, [flag, '@throughline/node/auto', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { THROUGHLINE_API_KEY: 'tl_x', THROUGHLINE_URL: 'http://127.0.0.1:9' },
    });
    expect(printed).toBe('annotate capture flush ignore init pause resume setUser shutdown step true\n7\n');
  }
});

test('the plugin fails with an install command if unplugin is not installed', () => {
  const script = `import { throughline } from '@throughline/node/plugin'; throughline.vite();`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/needs the package unplugin.*: npm install --save-dev unplugin/);
});

test("the package's types work in ES modules and in CommonJS", () => {
  const use = `import { init, step, type Options } from '@throughline/node';
const options: Options = { apiKey: 'tl_x', limits: { depth: 2 }, redact: { keys: ['nickname'] } };
init(options);
export const seven: number = step('seven', () => 7, { type: 'custom' });
// @ts-expect-error there is no such option
init({ nonsense: true });
`;
  for (const kind of ['mts', 'cts']) writeFileSync(join(folder, `use.${kind}`), use);
  const compiler = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, types: [] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: compiler, files: ['use.mts', 'use.cts'] }),
  );
  const tsc = join(home, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(run.stdout).toBe('');
  expect(run.status).toBe(0);
});
