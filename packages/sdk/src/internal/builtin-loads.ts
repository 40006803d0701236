import { replaceOnce } from './foreign.ts';
import { hasLoadHooks, onLoad } from './module-hooks.ts';
import { runGuarded } from './report.ts';

/** The callbacks to run when built-in modules load, by the module's name without `node:`. */
let waiting: Map<string, () => void> | undefined;

/**
 * Calls `notice` each time this process is about to load one of Node's own modules with `require`, `import` or
 * `getBuiltinModule`, before the host gets the module. Returns false if this Node has no load hooks; then `notice` is
 * never called.
 */
export function onBuiltinLoad(name: string, notice: () => void): boolean {
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

/**
 * True if this built-in module of Node has been loaded; undefined if that is unknown. `process.moduleLoadList` is undocumented, but Node
 * has no other list of loaded built-in modules.
 */
export function isBuiltinLoaded(name: string): boolean | undefined {
  const names: unknown = Reflect.get(process, 'moduleLoadList');
  return Array.isArray(names) ? names.includes(`NativeModule ${name}`) : undefined;
}

function noticeLoad(url: unknown): void {
  if (typeof url !== 'string') return;
  const notice = waiting?.get(url.startsWith('node:') ? url.slice('node:'.length) : url);
  if (notice !== undefined) runGuarded('Detecting a module of Node', notice);
}
