import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findCycles } from './find-cycles.ts';
import { forbidden, type LayerRule, oneWayFolders } from './layers.ts';
import { type Import, readImports } from './read-imports.ts';

export interface LayersFound {
  /** Violations in the form `rule: from → to`. */
  readonly violations: readonly string[];
  /** Paths of all files that were read, relative to the root. */
  readonly files: readonly string[];
}

const SOURCE = /(?<!\.d)\.tsx?$/;
const NOT_READ = /^(node_modules|dist|fixtures|generated|packed)$/;

/** Checks the imports of all source files in the given folders against the layer rules. */
export function checkLayers(root: string, folders: readonly string[]): LayersFound {
  const files = folders.flatMap((folder) => findSources(root, folder));
  const imports = new Map(files.map((file) => [file, readImports(root, join(root, file))]));
  const violations: string[] = [];
  for (const [from, all] of imports) {
    for (const { specifier, to } of all) {
      if (to === undefined) violations.push(`no-unresolvable: ${from} → ${specifier}`);
      else
        for (const rule of forbidden)
          if (isBroken(rule, from, to)) violations.push(`${rule.name}: ${from} → ${to}`);
    }
  }
  const partCycles = oneWayFolders.flatMap((folder) => findPartCycles(imports, folder));
  return { violations: [...violations, ...findModuleCycles(imports), ...partCycles], files };
}

function findSources(root: string, folder: string): string[] {
  const buildPath = (entry: Dirent) => `${folder}/${entry.name}`;
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_READ.test(entry.name)) return [];
    if (entry.isDirectory()) return findSources(root, buildPath(entry));
    return SOURCE.test(entry.name) ? [buildPath(entry)] : [];
  });
}

function isBroken({ from, to }: LayerRule, importer: string, imported: string): boolean {
  if (!matches(importer, from, undefined)) return false;
  const [, group] = new RegExp(from.path ?? '').exec(importer) ?? [];
  return matches(imported, to, group);
}

/**
 * True if a path matches one of the patterns in `path` and none in `pathNot`. `group` replaces `$1` in the patterns: the text
 * that the first group in the rule's `from` matched in the path of the importing file.
 */
function matches(path: string, { path: wanted, pathNot = [] }: LayerRule['to'], group = '$1'): boolean {
  const fits = (pattern: string) => new RegExp(pattern.replaceAll('$1', group)).test(path);
  return (wanted === undefined || [wanted].flat().some(fits)) && ![pathNot].flat().some(fits);
}

/** Finds cyclic imports, including type-only imports: a module in a cycle cannot be understood on its own. */
function findModuleCycles(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const edges = new Map<string, string[]>();
  for (const [file, all] of imports) {
    edges.set(
      file,
      all.flatMap(({ to }) => (to === undefined ? [] : [to])),
    );
  }
  return findCycles(edges).map(
    (cycle) => `no-cycles: ${(cycle.length > 1 ? cycle : [...cycle, ...cycle]).join(' → ')}`,
  );
}

const NOT_PRODUCT = /\.(test|fixture)\.tsx?$/;

/** Finds cycles between the parts of a folder, which are its sub-folders and its own files. */
function findPartCycles(imports: ReadonlyMap<string, readonly Import[]>, folder: string): string[] {
  const findPart = (file: string | undefined): string | undefined =>
    file?.startsWith(`${folder}/`) === true ? file.slice(folder.length + 1).split('/', 1)[0] : undefined;
  const edges = new Map<string, Set<string>>();
  for (const [file, all] of imports) {
    const part = findPart(file);
    if (part === undefined || NOT_PRODUCT.test(file)) continue;
    const others = edges.get(part) ?? new Set();
    edges.set(part, others);
    for (const { to } of all) {
      const other = findPart(to);
      if (other !== undefined && other !== part) others.add(other);
    }
  }
  return findCycles(edges).map((cycle) => `one-way-folders: in ${folder}: ${cycle.join(' → ')}`);
}
