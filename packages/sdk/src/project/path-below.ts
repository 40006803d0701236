import { relative, sep } from 'node:path';

/**
 * Returns a file's path relative to a folder, with slashes. Calls Node's `relative` only if the file is not plainly below the folder: a
 * call takes 10 µs, and nearly every file is below the project root.
 */
export function formatPathBelow(root: string, file: string): string {
  const prefix = endWithSeparator(root);
  const path =
    file.startsWith(prefix) && !file.includes('..') ? file.slice(prefix.length) : relative(root, file);
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Returns the folder with a separator at its end, so that paths of files below the folder begin with the result. */
export function endWithSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}
