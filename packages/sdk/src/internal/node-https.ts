import { isBuiltinLoaded, onBuiltinLoad } from './builtin-loads.ts';
import { loadLateModule } from './late-modules.ts';
import { runGuarded } from './report.ts';

type Https = typeof import('node:https');
type Use = (https: Https) => void;

let https: Https | undefined;
let uses: Use[] | undefined;
let isLoading = false;

/**
 * Calls `use` when this process loads `https`, before any caller receives the module. Calls `use` immediately if `https` is already loaded
 * or if its load cannot be detected.
 */
export function onHttpsLoad(use: Use): void {
  if (https !== undefined) {
    use(https);
    return;
  }
  if (uses !== undefined) {
    uses.push(use);
    return;
  }
  uses = [use];
  // Loads the module immediately if it is loaded already, or if a later load cannot be detected.
  if (isBuiltinLoaded('https') !== false || !onBuiltinLoad('https', noticeHttps)) loadHttps();
}

/** Loads `https`, then runs the waiting callbacks. */
export function loadHttps(): Https {
  if (https === undefined) {
    // Prevents recursion, because loading the module triggers `noticeHttps`.
    isLoading = true;
    const found = loadLateModule('node:https');
    https = found;
    for (const use of uses ?? []) runGuarded('Instrumenting https', () => use(found));
  }
  return https;
}

function noticeHttps(): void {
  if (!isLoading) loadHttps();
}
