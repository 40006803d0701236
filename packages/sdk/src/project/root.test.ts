import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPackageName, findProject } from './root.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-root-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: unknown = ''): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('the nearest package above the main script is the project, whatever the working directory', () => {
  write('app/package.json', { name: 'shop', version: '1.2.3' });
  const main = write('app/dist/server.js');
  expect(findProject(main, '/')).toEqual({ root: join(folder, 'app'), name: 'shop', version: '1.2.3' });
});

test('a package.json that only sets a module type does not make a package', () => {
  write('app/package.json', { name: 'shop' });
  write('app/dist/package.json', { type: 'commonjs' });
  expect(findProject(write('app/dist/server.js'), '/').root).toBe(join(folder, 'app'));
});

test('the working directory is used if the main script is missing or is a tool in node_modules', () => {
  write('app/package.json', { name: 'shop' });
  const tool = write('app/node_modules/runner/cli.js');
  expect(findProject(tool, join(folder, 'app')).name).toBe('shop');
  expect(findProject(undefined, join(folder, 'app')).name).toBe('shop');
});

test('a main script that is a link or a folder is resolved to the real file', () => {
  write('app/package.json', { name: 'shop' });
  const main = write('app/bin/run.js');
  symlinkSync(main, join(folder, 'run'));
  expect(findProject(join(folder, 'run'), '/').name).toBe('shop');
  expect(findProject('app', folder).name).toBe('shop');
});

test.each([
  ['npm', { workspaces: ['packages/*', 'apps/**'] }, ''],
  ['npm, long form', { workspaces: { packages: ['./apps/api/'] } }, ''],
  ['pnpm', {}, '# all\npackages:\n  # of ours\n  - \'apps/*\' # here\n  - "tools/*"\nother: 1\n'],
])(
  'all packages of a workspace (%s) are one project; a package outside the workspace is its own project',
  (_kind, manifest, pnpm) => {
    write('package.json', { name: 'all', ...manifest });
    if (pnpm !== '') write('pnpm-workspace.yaml', pnpm);
    write('apps/api/package.json', { name: 'api', version: '2.0.0' });
    write('other/package.json', { name: 'other' });
    expect(findProject(write('apps/api/main.js'), '/')).toEqual({
      root: folder,
      name: 'api',
      version: '2.0.0',
    });
    expect(findProject(write('other/main.js'), '/').root).toBe(join(folder, 'other'));
  },
);

test('the main script’s folder is the project if there is no valid package.json', () => {
  write('app/package.json', '{"name": ');
  const main = write('app/server.js');
  expect(findProject(main, '/')).toMatchObject({
    root: join(folder, 'app'),
    name: 'app',
    version: undefined,
  });
});

test("a library's name comes from its own package.json", () => {
  write('node_modules/alias/package.json', { name: 'express' });
  expect(findPackageName(write('node_modules/alias/lib/router/layer.js'))).toBe('express');
});
