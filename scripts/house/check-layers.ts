import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { forbidden, type LayerRule } from './layers.ts';
import { type Import, readImports } from './read-imports.ts';

export interface LayersFound {
  /** Violations in the form `rule: from → to`. */
  readonly violations: readonly string[];
  /** Paths of all files that were read, relative to the root. */
  readonly files: readonly string[];
}

const SOURCE = /(?<!\.d)\.tsx?$/;
/**
 * Folder in which cycles of types are allowed. A recording, its active steps and their promises have fields of each other's types on the
 * SDK's hottest path. Interfaces between them would only repeat the classes.
 */
const TYPE_CYCLES = /^packages\/sdk\/src\/record\//;
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
  return { violations: [...violations, ...findCycles(imports)], files };
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

/** Replaces `$1` in a pattern with the importing file's first group. */
function matches(path: string, { path: wanted, pathNot = [] }: LayerRule['to'], group = '$1'): boolean {
  const fits = (pattern: string) => new RegExp(pattern.replaceAll('$1', group)).test(path);
  return (wanted === undefined || [wanted].flat().some(fits)) && ![pathNot].flat().some(fits);
}

/**
 * Finds cyclic imports, including type-only imports: a module in a cycle cannot be understood on its own. Uses Tarjan's algorithm: a cycle
 * is a group of modules that can all reach each other.
 */
function findCycles(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    let lowest = own;
    stack.push(file);
    for (const { to, isType } of imports.get(file) ?? []) {
      if (to === undefined || !imports.has(to)) continue;
      if (isType && TYPE_CYCLES.test(file) && TYPE_CYCLES.test(to)) continue;
      if (to === file) cycles.push(`no-cycles: ${file} → ${file}`);
      else if (!index.has(to)) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, index.get(to) ?? own);
    }
    low.set(file, lowest);
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) cycles.push(`no-cycles: ${group.join(' → ')}`);
    }
    return lowest;
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return cycles;
}
