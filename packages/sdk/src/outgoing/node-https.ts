import { lateModule } from '../late-modules.ts';
import { replaceOnce } from '../libraries/foreign.ts';
import { hasLoadHooks, onLoad } from '../loaders/load-hooks.ts';
import { guarded } from '../report.ts';

type Https = typeof import('node:https');
type Use = (https: Https) => void;

let https: Https | undefined;
let uses: Use[] | undefined;
let isLoading = false;

/** Calls `use` once this process loads `https`, before whoever asked for it gets it; at once where that has been, or cannot be seen. */
export function whenHttpsLoads(use: Use): void {
  if (https !== undefined) {
    use(https);
    return;
  }
  if (uses !== undefined) {
    uses.push(use);
    return;
  }
  uses = [use];
  if (!hasLoadHooks || isLoaded()) loadHttps();
  else watch();
}

/** `https` itself. Whoever waits for it is told first. */
export function loadHttps(): Https {
  if (https === undefined) {
    // Loading it comes by `notice` itself.
    isLoading = true;
    const found = lateModule('node:https');
    https = found;
    for (const use of uses ?? []) guarded('Watching https', () => use(found));
  }
  return https;
}

function watch(): void {
  const notice = (name: unknown): void => {
    if (!isLoading && (name === 'node:https' || name === 'https')) loadHttps();
  };
  onLoad((loaded, url) => {
    notice(url);
    return loaded;
  });
  replaceOnce(process, 'getBuiltinModule', (get) => {
    return function (...args) {
      notice(args[0]);
      return get.apply(this, args);
    };
  });
}

/** Undocumented, but the only list of what Node has loaded of its own; where there is none, `https` is loaded to be sure. */
function isLoaded(): boolean {
  const names: unknown = Reflect.get(process, 'moduleLoadList');
  return !Array.isArray(names) || names.includes('NativeModule https');
}
