import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realPath } from './config/package-manifest.ts';
import { hasModuleSyntax } from './loaders/loaded-source.ts';
import { type Format, Transform } from './loaders/transform.ts';

const namesShown = 5;
/** The number of files whose imports are read: the advice must not slow the start. */
const mostLookedAt = 200;
/** In a workspace that develops it, the SDK itself is below the root. */
const ourselves = fileURLToPath(new URL('.', import.meta.url));

/**
 * The advice to a host that called `init` in its code: its own modules that were loaded before, and so have untraced functions.
 * CommonJS keeps a list of loaded modules. An ES module that the main file imports statically was loaded before the first line ran.
 * Undefined if there are none.
 */
export function findEarlyModules(
  root: string,
  isOwn: (file: string) => boolean,
  mainScript: string | undefined,
): string | undefined {
  const required = loadedFiles();
  const imported =
    mainScript === undefined || required.includes(mainScript) ? [] : staticImports(mainScript, isOwn);
  const early: string[] = [];
  for (const file of new Set([...required, ...imported])) {
    if (!isOwn(file) || file.startsWith(ourselves)) continue;
    // Behind those that are named, the rest are only counted.
    if (early.length >= namesShown || hasUntraced(root, file)) early.push(file);
  }
  if (early.length === 0) return undefined;
  const names = early.slice(0, namesShown).map((file) => relative(root, file));
  const more = early.length > namesShown ? ` and ${early.length - namesShown} more` : '';
  const start = `node --import @throughline/node/auto ${basename(mainScript ?? 'app.js')}`;
  return `loaded before init, so not traced: ${names.join(', ')}${more}; to trace them, start with: ${start}`;
}

/** Each file that `require` has loaded. */
function loadedFiles(): string[] {
  const cache: unknown = Reflect.get(Module, '_cache');
  return typeof cache === 'object' && cache !== null ? Object.keys(cache) : [];
}

const importsFile = /^[ \t]*(?:import|export)\b(?:[^'"`;()]*\bfrom)?\s*['"](\.{1,2}\/[^'"]+)['"]/gm;

/** A module and what it imports from its own project by path, and so on, the first ones first. */
function staticImports(main: string, isOwn: (file: string) => boolean): string[] {
  const found = new Set([realPath(main)]);
  for (const file of found) {
    if (found.size >= mostLookedAt) break;
    for (const [, path = ''] of readText(file).matchAll(importsFile)) {
      const imported = realPath(resolve(dirname(file), path));
      if (isOwn(imported)) found.add(imported);
    }
  }
  return [...found];
}

/** Code that was instrumented by a build is traced, and a file without functions has nothing to trace. */
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
