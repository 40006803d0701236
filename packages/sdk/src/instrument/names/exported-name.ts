/**
 * Names of `module.exports = function () {}`, `export default () => {}` and their classes: the author's own, and `_default` of Babel and SWC, `default_1` of
 * TypeScript and webpack's name. esbuild's is `auth_default`.
 */
const EXPORTED =
  /^(?<before>(?:new |get |set |anonymous in )*)(?:module\.exports|default|_default\d*|default_\d+|__WEBPACK_DEFAULT_EXPORT__)(?<after>$|\.)/;

/** A name that says only that its file exports the function says which file: `auth` for `middleware/auth.js` and `auth/index.js`. */
export function exportedName(name: string, file: string): string {
  if (EXPORTED.test(name)) return name.replace(EXPORTED, `$<before>${fileName(file)}$<after>`);
  return name === `${identifier(fileName(file))}_default` ? fileName(file) : name;
}

/** The file's name without its ending; that of its folder for an index file. */
function fileName(file: string): string {
  const [own = '', folder = ''] = file.split(/[\\/]/).reverse();
  const name = own.replace(/(?<!^)\.[^.]+$/, '');
  return name === 'index' && folder !== '' ? folder : name;
}

const identifier = (text: string): string => text.replace(/[^\w$]/g, '_');
