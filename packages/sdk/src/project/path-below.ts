import { relative, sep } from 'node:path';

/**
 * Returns a file's path relative to a folder, with slashes. Calls Node's `relative` only if the file is not plainly below the folder: a
 * call takes 10 µs, and nearly every file is below the project root.
 */
export function formatPathBelow(root: string, file: string): string {
  const prefix = root.endsWith(sep) ? root : root + sep;
  const path =
    file.startsWith(prefix) && !file.includes('..') ? file.slice(prefix.length) : relative(root, file);
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
