import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Manifest, readManifest, resolveRealPath } from './package-manifest.ts';

/** The host's project: its root folder, and name and version from package.json. */
export interface Project {
  /** Files below this folder are the host's own, unless they are in node_modules. */
  readonly root: string;
  /** Name of the package that runs; the name of its folder if the package has no name. */
  readonly name: string;
  readonly version: string | undefined;
}

/**
 * Finds the project: the folder of the nearest package.json above the main script. If there is no main script, or the main script is in
 * node_modules, the search starts at the working directory. If the package belongs to a workspace, the root is the workspace's root, so
 * that sibling packages count as the host's own code.
 */
export function findProject(mainScript: string | undefined, workingDirectory: string): Project {
  const start = startFolder(mainScript, workingDirectory);
  const folder = findNearestPackage(start) ?? start;
  const manifest = readManifest(folder);
  return {
    root: findWorkspaceRoot(folder) ?? folder,
    name: typeof manifest?.name === 'string' && manifest.name !== '' ? manifest.name : basename(folder),
    version: typeof manifest?.version === 'string' ? manifest.version : undefined,
  };
}

/** Returns the `name` in the nearest package.json above a file. This name identifies a library even if it is installed under an alias. */
export function findPackageName(file: string): string | undefined {
  const folder = findNearestPackage(dirname(file));
  const name = folder === undefined ? undefined : readManifest(folder)?.name;
  return typeof name === 'string' ? name : undefined;
}

function startFolder(mainScript: string | undefined, workingDirectory: string): string {
  if (mainScript !== undefined && mainScript !== '') {
    const path = resolveRealPath(resolve(workingDirectory, mainScript));
    if (!path.split(sep).includes('node_modules')) return isFolder(path) ? path : dirname(path);
  }
  return resolveRealPath(workingDirectory);
}

function findNearestPackage(start: string): string | undefined {
  for (const folder of walkAncestors(start)) {
    const manifest = readManifest(folder);
    if (manifest !== undefined && !isTypeMarker(manifest)) return folder;
  }
  return undefined;
}

/**
 * True for a package.json with no field except `type`, such as `{"type": "commonjs"}`. Builds write such a file next to their output. The
 * folder of such a file is not a package.
 */
function isTypeMarker(manifest: Manifest): boolean {
  return Object.keys(manifest).every((key) => key === 'type');
}

function findWorkspaceRoot(folder: string): string | undefined {
  for (const ancestor of walkAncestors(dirname(folder))) {
    const globs = readWorkspaceGlobs(ancestor);
    const path = relative(ancestor, folder).split(sep).join('/');
    if (globs.some((glob) => !glob.startsWith('!') && matchesGlob(glob, path))) return ancestor;
  }
  return undefined;
}

function readWorkspaceGlobs(folder: string): string[] {
  const declared = readManifest(folder)?.workspaces;
  const inManifest =
    typeof declared === 'object' && declared !== null && 'packages' in declared
      ? declared.packages
      : declared;
  if (Array.isArray(inManifest)) return inManifest.filter((glob) => typeof glob === 'string');
  return readPnpmGlobs(join(folder, 'pnpm-workspace.yaml'));
}

/** Returns the `packages:` list of a pnpm workspace file. Parses only the YAML that this list can contain: plain or quoted scalars. */
function readPnpmGlobs(file: string): string[] {
  if (!existsSync(file)) return [];
  const [, list = ''] =
    /^packages:[^\n]*\n((?:[ \t]*-[^\n]*\n?|[ \t]*(?:#[^\n]*)?\n)*)/m.exec(readFileSync(file, 'utf8')) ?? [];
  return [...list.matchAll(/^[ \t]*-[ \t]*['"]?([^'"#\n]+?)['"]?[ \t]*(?:#.*)?$/gm)].map(
    ([, glob = '']) => glob,
  );
}

function matchesGlob(glob: string, path: string): boolean {
  const pattern = glob
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
    .split(/(\*\*\/?|\*)/)
    .map((part) =>
      part.startsWith('**') ? '(?:.*)' : part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${pattern}$`).test(path);
}

/** Lists a folder and all folders above it, the nearest first. */
export function* walkAncestors(start: string): Generator<string> {
  let folder = start;
  for (;;) {
    yield folder;
    const parent = dirname(folder);
    if (parent === folder) return;
    folder = parent;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
