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

/** The oldest Node version with which users can install a clone. npm warns about each package that requires a later version. */
const OLDEST_NODE = '20.20.0';

const { packages } = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');
const { allowScripts } = readJson<{ allowScripts: Record<string, boolean> }>('package.json');
/** Optional packages are exempt, because npm skips them without a warning. */
const required = Object.entries(packages).filter(([, { optional }]) => optional !== true);

test('every package of the lockfile can be installed with the oldest Node', () => {
  const tooNew = required
    .filter(([, { engines }]) => !semver.satisfies(OLDEST_NODE, engines?.node ?? '*'))
    .map(([path, { engines }]) => `${path} wants ${engines?.node}`);
  expect(tooNew).toEqual([]);
});

test('every package with an install script is allowed or refused by name', () => {
  const undecided = required
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !Object.hasOwn(allowScripts, name));
  expect(undecided).toEqual([]);
});

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}
