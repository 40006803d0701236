import { extname, sep } from 'node:path';
import { findPackageFolder } from '../project/package-folder.ts';
import { resolveRealPath } from '../project/package-manifest.ts';
import { endWithSeparator, formatPathBelow } from '../project/path-below.ts';
import { compileGlob } from './glob.ts';

export interface OwnCodeOptions {
  /** Absolute path of the host's project folder. */
  readonly root: string;
  /**
   * Globs relative to the root. If there are any, only matching files are traced. A glob that names node_modules also matches files inside
   * node_modules; a glob that begins with `../` matches files outside of the root.
   */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const extensions = new Set(['', '.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx']);

/**
 * True if a flag or setting of Node preserves symlinks, so that a linked package has a path in node_modules. The real path then decides if
 * code is the host's own.
 */
const preservesSymlinks =
  process.execArgv.includes('--preserve-symlinks') ||
  process.env.NODE_PRESERVE_SYMLINKS === '1' ||
  process.env.NODE_OPTIONS?.includes('--preserve-symlinks') === true;

/**
 * Returns a function that tests if a file is traced. By default, this is the host's own code: files whose real path is under the root, but
 * not below node_modules. The globs of the options can include further files and exclude files.
 */
export function buildOwnCodeTest(options: OwnCodeOptions): (file: string) => boolean {
  const root = resolveRealPath(options.root);
  const include = options.include.map((glob) => ({
    test: compileGlob(glob),
    reachesLibraries: glob.includes('node_modules'),
    reachesOut: glob.startsWith('../'),
  }));
  const exclude = options.exclude.map(compileGlob);
  const ourselves = findPackageFolder();
  const below = endWithSeparator(root);
  // Most files belong to libraries, often in a node_modules above the root. Node's `relative` takes 10 µs for each of them. Windows paths
  // can differ in case.
  const needsPlainPrefix = include.length === 0 && sep === '/' && !preservesSymlinks;
  return (file) => {
    if (needsPlainPrefix && !file.startsWith(below)) return false;
    if (!extensions.has(extname(file)) || file.startsWith(ourselves)) return false;
    const shown = formatPathBelow(root, preservesSymlinks ? resolveRealPath(file) : file);
    if (shown === '' || shown.includes('\0')) return false;
    // `shown` has a drive letter if the file is on another Windows drive than the root.
    if (/^[a-z]:/i.test(shown)) return false;
    const isOut = shown.startsWith('../');
    const library = shown.startsWith('node_modules/') || shown.includes('/node_modules/');
    if (exclude.some((test) => test.test(shown))) return false;
    if (include.length === 0) return !library && !isOut;
    return include.some(
      ({ test, reachesLibraries, reachesOut }) =>
        (!library || reachesLibraries) && isOut === reachesOut && test.test(shown),
    );
  };
}
