/** Which runner a test file is for, by its name: what `npm test -- PATH …` runs. */

/**
 * Paths for Playwright, and for vitest by its mode, as vitest.config.ts has them; undefined is what `npm test` runs in.
 *
 * @typedef {{ mode?: 'long' | 'wire', paths: string[] }} NodeTests
 * @typedef {{ node: readonly NodeTests[], browser: readonly string[] }} TestFiles
 */

/**
 * The files that the arguments name. A folder, or a part of a path, is one for vitest. Undefined where they name none.
 *
 * @param {readonly string[]} args
 * @returns {TestFiles | undefined}
 */
export function filesToTest(args) {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  if (paths.length === 0) return undefined;
  // Node 20, which may run this file, has no `Map.groupBy`.
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

/** @param {string} path */
function isBrowserTest(path) {
  return /\.spec\.ts$|(^|[\\/])e2e([\\/]|$)/.test(path);
}

/** @param {string} path @returns {'long' | 'wire' | undefined} */
function findMode(path) {
  if (path.endsWith('.long.test.ts')) return 'long';
  return path.endsWith('.wire.test.ts') ? 'wire' : undefined;
}
