import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { expect, test } from 'vitest';
import { root } from './workspace.mjs';

interface LockedPackage {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const { packages } = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');
const { allowScripts, engines: promised } = readJson<{
  allowScripts: Record<string, boolean>;
  engines: { node: string };
}>('package.json');

test('every package of the lockfile can be installed with every Node that package.json promises', () => {
  // Optional packages are exempt, because npm skips them without a warning.
  const tooNew = Object.entries(packages)
    .filter(
      ([, { engines, optional }]) => optional !== true && !semver.subset(promised.node, engines?.node ?? '*'),
    )
    .map(([path, { engines }]) => `${path} wants ${engines?.node}`);
  expect(tooNew).toEqual([]);
});

test('every package with an install script is allowed or refused by name', () => {
  // Includes optional packages, because npm warns about them on the systems for which they are made.
  const undecided = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !Object.hasOwn(allowScripts, name));
  expect(undecided).toEqual([]);
});

test('README and CONTRIBUTING name the oldest versions of Node that package.json promises', () => {
  const oldest = promised.node.matchAll(/\^(\d+\.\d+)/g).map(([, version]) => version);
  const sentence = `You need Node.js ${[...oldest].join(', ')} or newer`;
  for (const file of ['README.md', 'CONTRIBUTING.md'])
    expect(readFileSync(join(root, file), 'utf8')).toContain(sentence);
});

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}
