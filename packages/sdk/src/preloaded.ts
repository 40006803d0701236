import Module from 'node:module';
import { basename, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const namesShown = 5;
/** In a workspace that develops it, the SDK itself is below the root. */
const ourselves = fileURLToPath(new URL('.', import.meta.url));

/**
 * What to tell a host that called `init` in its code: which of its own modules were loaded before and so are not traced. CommonJS keeps a list;
 * of ES modules only the main file is known, and that all it imports statically was loaded before its first line ran. Undefined when nothing was.
 */
export function tooEarly(root: string, mainScript: string | undefined): string | undefined {
  const loaded = loadedFiles().filter((file) => isOwn(root, file));
  const how = `start with: node --import @throughline/node/auto ${basename(mainScript ?? 'app.js')}`;
  if (loaded.length > 0) {
    const names = loaded.slice(0, namesShown).map((file) => relative(root, file));
    const more = loaded.length > namesShown ? ` and ${loaded.length - namesShown} more` : '';
    return `loaded before init, so not traced: ${names.join(', ')}${more}; to trace them, ${how}`;
  }
  if (mainScript === undefined || loadedFiles().includes(mainScript)) return undefined;
  return `init was called inside ES modules: ${basename(mainScript)} and what it imports statically are not traced; to trace them, ${how}`;
}

/** Each file that `require` has loaded. */
function loadedFiles(): string[] {
  const cache: unknown = Reflect.get(Module, '_cache');
  return typeof cache === 'object' && cache !== null ? Object.keys(cache) : [];
}

function isOwn(root: string, file: string): boolean {
  return (
    file.startsWith(root + sep) &&
    !file.startsWith(ourselves) &&
    !file.slice(root.length).includes(`${sep}node_modules${sep}`)
  );
}
