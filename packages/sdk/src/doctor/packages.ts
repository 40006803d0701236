import { dirname, join } from 'node:path';
import { readManifest, resolveRealPath } from '../project/package-manifest.ts';
import type { KnownPackage } from './findings.ts';
import { known } from './known.ts';

export interface Manifest {
  /** Folder of the package. */
  readonly folder: string;
  readonly scripts: Readonly<Record<string, string>>;
  /** Names under which dependencies are declared, which can be aliases. */
  readonly dependencies: readonly string[];
}

/** Reads the package.json of each folder from `start` up to `root`. In a workspace, these include the workspace root's package.json. */
export function readManifests(start: string, root: string): Manifest[] {
  const found: Manifest[] = [];
  for (let folder = resolveRealPath(start); ; folder = dirname(folder)) {
    const manifest = readManifest(folder);
    if (manifest !== undefined) {
      found.push({
        folder,
        scripts: selectTexts(manifest.scripts),
        dependencies: ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'].flatMap(
          (list) => Object.keys(selectTexts(manifest[list])),
        ),
      });
    }
    if (folder === root || folder === dirname(folder)) return found;
  }
}

/**
 * Returns the known packages among the dependencies. A package is identified by the name in its own package.json, even if it is installed
 * under an alias.
 */
export function findKnownPackages(manifests: readonly Manifest[]): KnownPackage[] {
  const found = new Map<string, KnownPackage>();
  for (const { folder, dependencies } of manifests) {
    for (const alias of dependencies) {
      const installed = readInstalledManifest(folder, alias);
      const name = typeof installed?.name === 'string' ? installed.name : alias;
      const version = typeof installed?.version === 'string' ? installed.version : undefined;
      const one = describe(name, version);
      if (one !== undefined && !found.has(`${name} ${version}`)) found.set(`${name} ${version}`, one);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(name: string, version: string | undefined): KnownPackage | undefined {
  const entry = known.get(name);
  if (entry === undefined) return undefined;
  const { kind, says, from, to, traced = kind !== 'bundler' } = entry;
  if (version === undefined) return { name, version, kind, traced: false, says: 'it is not installed' };
  const major = Number.parseInt(version, 10);
  if (major >= from && major <= to) return { name, version, kind, traced, says };
  return { name, version, kind, traced: false, says: `only versions ${from} to ${to} are supported` };
}

function readInstalledManifest(start: string, alias: string): Readonly<Record<string, unknown>> | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'node_modules', alias));
    if (manifest !== undefined || folder === dirname(folder)) return manifest;
  }
}

function selectTexts(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
}
