/** Chooses the runner for a test file by the file's name, for `npm test -- PATH ...`. */

/**
 * Paths for Playwright, and paths for vitest by mode, as in vitest.config.ts. Without a mode, the file is a part of `npm test`.
 *
 * @typedef {{ mode?: 'long' | 'wire', paths: string[] }} NodeTests
 * @typedef {{ node: readonly NodeTests[], browser: readonly string[] }} TestFiles
 */

/**
 * Returns the test files that the arguments name. A folder, or a part of a path, is passed to vitest, unless it is in `e2e`. Returns
 * undefined if the arguments name no file.
 *
 * @param {readonly string[]} args
 * @returns {TestFiles | undefined}
 */
export function filesToTest(args) {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  if (paths.length === 0) return undefined;
  // Avoids `Map.groupBy`, because this file can run on Node 20.
  /** @type {Map<'long' | 'wire' | undefined, string[]>} */
  const byMode = new Map();
  for (const path of paths) {
    if (isBrowserTest(path)) continue;
    const mode = findMode(path);
    byMode.set(mode, [...(byMode.get(mode) ?? []), path]);
  }
  return {
    node: [...byMode].map(([mode, group]) => ({ ...(mode && { mode }), paths: group })),
    browser: paths.filter(isBrowserTest),
  };
}

/** Matches the files whose tests import sources only, and no built package. */
const WITHOUT_BUILD = /^(?:scripts|packages[\\/]contract)[\\/]/;

/**
 * Returns true if one of these test files or folders can need the built packages. Also returns true for a part of a path, which can match
 * any test.
 *
 * @param {readonly string[]} paths
 */
export function needBuild(paths) {
  return paths.some((path) => !WITHOUT_BUILD.test(path));
}

/** @param {string} path */
function isBrowserTest(path) {
  return /\.spec\.ts$|(^|[\\/])e2e([\\/]|$)/.test(path);
}

/** @param {string} path @returns {'long' | 'wire' | undefined} */
function findMode(path) {
  if (path.endsWith('.long.test.ts')) return 'long';
  return path.endsWith('.wire.test.ts') ? 'wire' : undefined;
}
