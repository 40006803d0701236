import Module from 'node:module';
import { sep } from 'node:path';
import { readProperty, readTextProperty } from '../internal/foreign.ts';
import { reportFault } from '../internal/report.ts';
import { readManifest } from '../project/package-manifest.ts';

/** A library's file that the host has loaded with `require` or `import`. */
export interface LoadedFile {
  /** Package name from the library's own package.json, even if the library is installed under an alias. */
  readonly library: string;
  readonly folder: string;
  /** Path of the file in `folder`, with slashes. */
  readonly path: string;
  /** The file's exports. Assigning to `exports` replaces them. */
  readonly module: { exports: unknown };
}

/** Files whose loading is reported, by library and path in the library. */
export type LibraryFiles = ReadonlyMap<string, ReadonlySet<string>>;

const modulesFolder = `${sep}node_modules${sep}`;

/**
 * Calls `onLoad` when one of the files is loaded, before the caller of `require` receives the exports. Calls `onLoad` immediately for files
 * that are already loaded. Reads each package.json once, and only if a file with one of the watched paths was loaded from the package.
 */
export function watchLoads(files: LibraryFiles, onLoad: (file: LoadedFile) => void): void {
  const paths = new Set([...files.values()].flatMap((list) => [...list]));
  const names = new Map<string, string | undefined>();
  const look = (module: unknown): void => {
    const file = readTextProperty(module, 'filename');
    if (file === undefined || !hasExports(module)) return;
    const at = file.lastIndexOf(modulesFolder);
    if (at === -1) return;
    const start = at + modulesFolder.length;
    const end = findFolderEnd(file, start);
    const path = sep === '/' ? file.slice(end + 1) : file.slice(end + 1).replaceAll(sep, '/');
    if (!paths.has(path)) return;
    const folder = file.slice(0, end);
    if (!names.has(folder)) names.set(folder, nameIn(folder));
    const library = names.get(folder);
    if (library !== undefined && files.get(library)?.has(path) === true)
      onLoad({ library, folder, path, module });
  };
  for (const loaded of listLoadedModules()) lookGuarded(look, loaded);
  const load: unknown = Reflect.get(Module.prototype, 'load');
  if (typeof load !== 'function') return;
  Reflect.set(Module.prototype, 'load', function (this: Module, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(load, this, args);
    lookGuarded(look, this);
    return result;
  });
}

function lookGuarded(look: (module: unknown) => void, module: unknown): void {
  try {
    look(module);
  } catch (error) {
    reportFault('Recognizing a library', error);
  }
}

/** Returns where the package's folder ends: after one segment, or two for a scoped name. */
function findFolderEnd(file: string, start: number): number {
  const first = file.indexOf(sep, start);
  if (first === -1) return file.length;
  if (file[start] !== '@') return first;
  const second = file.indexOf(sep, first + 1);
  return second === -1 ? file.length : second;
}

function nameIn(folder: string): string | undefined {
  return readTextProperty(readManifest(folder), 'name');
}

function listLoadedModules(): unknown[] {
  const cache = readProperty(Module, '_cache');
  return typeof cache === 'object' && cache !== null ? Object.values(cache) : [];
}

function hasExports(module: unknown): module is { exports: unknown } {
  return typeof module === 'object' && module !== null && 'exports' in module;
}
