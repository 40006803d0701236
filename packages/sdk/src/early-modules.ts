import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasModuleSyntax } from './loaders/loaded-source.ts';
import { type Format, Transform } from './loaders/transform.ts';
import { resolveRealPath } from './project/package-manifest.ts';

const namesShown = 5;
/** Maximum number of files whose imports are read, so that the advice does not slow the start. */
const mostLookedAt = 200;
/** The SDK's own folder, whose modules are not the host's. In a workspace that develops the SDK, this folder is below the project root. */
const ourselves = fileURLToPath(new URL('.', import.meta.url));

/**
 * Builds advice for a host that called `init` in its code. Names the host's modules that were loaded before `init`, because their functions
 * are not traced. CommonJS modules are in Node's list of loaded modules. ES modules are found through the static imports of the main file,
 * which are loaded before the main file's first line runs. Returns undefined if there are no such modules.
 */
export function findEarlyModules(
  root: string,
  isOwn: (file: string) => boolean,
  mainScript: string | undefined,
): string | undefined {
  const required = listLoadedFiles();
  const imported =
    mainScript === undefined || required.includes(mainScript) ? [] : findStaticImports(mainScript, isOwn);
  const early: string[] = [];
  for (const file of new Set([...required, ...imported])) {
    if (!isOwn(file) || file.startsWith(ourselves)) continue;
    // The advice names `namesShown` modules and counts the others. The others count even if they contain no functions, because their source
    // is not read.
    if (early.length >= namesShown || hasUntraced(root, file)) early.push(file);
  }
  if (early.length === 0) return undefined;
  const names = early.slice(0, namesShown).map((file) => relative(root, file));
  const more = early.length > namesShown ? ` and ${early.length - namesShown} more` : '';
  const start = `node --import @throughline/node/auto ${basename(mainScript ?? 'app.js')}`;
  return `loaded before init, so not traced: ${names.join(', ')}${more}; to trace them, start with: ${start}`;
}

function listLoadedFiles(): string[] {
  const cache: unknown = Reflect.get(Module, '_cache');
  return typeof cache === 'object' && cache !== null ? Object.keys(cache) : [];
}

const importsFile = /^[ \t]*(?:import|export)\b(?:[^'"`;()]*\bfrom)?\s*['"](\.{1,2}\/[^'"]+)['"]/gm;

/**
 * Returns the main file and the host's own modules that the main file imports by path, directly or indirectly: breadth-first, until
 * `mostLookedAt` modules are found.
 */
function findStaticImports(main: string, isOwn: (file: string) => boolean): string[] {
  const found = new Set([resolveRealPath(main)]);
  for (const file of found) {
    if (found.size >= mostLookedAt) break;
    for (const [, path = ''] of readText(file).matchAll(importsFile)) {
      const imported = resolveRealPath(resolve(dirname(file), path));
      if (isOwn(imported)) found.add(imported);
    }
  }
  return [...found];
}

/** True if the file contains functions that were not instrumented by a build. */
function hasUntraced(root: string, file: string): boolean {
  const source = readText(file);
  const format: Format = hasModuleSyntax(source) ? 'module' : 'undecided';
  const looking = new Transform({
    root,
    isOwn: () => true,
    runtime: null,
    withMap: () => false,
    report: () => {},
  });
  return (looking.instrument(source, file, format)?.sites.length ?? 0) > 0;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
