import { guarded } from '../internal/report.ts';
import { replaceOnce } from '../libraries/foreign.ts';
import { hasLoadHooks, onLoad } from './module-hooks.ts';

/** By a builtin's name without `node:`: what waits for it. */
let waiting: Map<string, () => void> | undefined;

/**
 * Calls `notice` each time this process is about to load a module of Node's own, by `require`, `import` or `getBuiltinModule`, before the host gets it. False where
 * this Node has no load hooks: then `notice` is never called.
 */
export function beforeBuiltinLoads(name: string, notice: () => void): boolean {
  if (!hasLoadHooks) return false;
  if (waiting === undefined) {
    waiting = new Map();
    onLoad((loaded, url) => {
      noticeLoad(url);
      return loaded;
    });
    replaceOnce(process, 'getBuiltinModule', (get) => {
      return function (...args) {
        noticeLoad(args[0]);
        return get.apply(this, args);
      };
    });
  }
  waiting.set(name, notice);
  return true;
}

/** Undocumented, but the only list of the modules that Node has loaded of its own; undefined where there is none. */
export function isBuiltinLoaded(name: string): boolean | undefined {
  const names: unknown = Reflect.get(process, 'moduleLoadList');
  return Array.isArray(names) ? names.includes(`NativeModule ${name}`) : undefined;
}

function noticeLoad(url: unknown): void {
  if (typeof url !== 'string') return;
  const notice = waiting?.get(url.startsWith('node:') ? url.slice('node:'.length) : url);
  if (notice !== undefined) guarded('Noticing a module of Node', notice);
}
