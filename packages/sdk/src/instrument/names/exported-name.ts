/**
 * Names of functions and classes that are exported without a name: `module.exports` and `default` in plain source, `_default` from Babel
 * and SWC, `default_1` from TypeScript, and `__WEBPACK_DEFAULT_EXPORT__` from webpack. esbuild's `auth_default` is checked separately.
 */
const EXPORTED =
  /^(?<before>(?:new |get |set |anonymous in )*)(?:module\.exports|default|_default\d*|default_\d+|__WEBPACK_DEFAULT_EXPORT__)(?<after>$|\.)/;

/**
 * Replaces a name that shows only that the file exports the function, such as `default`, by the name of the file: `auth` in
 * `middleware/auth.js` and in `auth/index.js`.
 */
export function nameExport(name: string, file: string): string {
  if (EXPORTED.test(name)) return name.replace(EXPORTED, `$<before>${readFileName(file)}$<after>`);
  return name === `${toIdentifier(readFileName(file))}_default` ? readFileName(file) : name;
}

/** Returns the file's name without its extension; for an index file, the name of its folder. */
function readFileName(file: string): string {
  const [own = '', folder = ''] = file.split(/[\\/]/).reverse();
  const name = own.replace(/(?<!^)\.[^.]+$/, '');
  return name === 'index' && folder !== '' ? folder : name;
}

const toIdentifier = (text: string): string => text.replace(/[^\w$]/g, '_');
