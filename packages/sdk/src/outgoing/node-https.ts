import { lateModule } from '../internal/late-modules.ts';
import { guarded } from '../internal/report.ts';
import { beforeBuiltinLoads, isBuiltinLoaded } from '../loaders/builtin-loads.ts';

type Https = typeof import('node:https');
type Use = (https: Https) => void;

let https: Https | undefined;
let uses: Use[] | undefined;
let isLoading = false;

/** Calls `use` when this process loads `https`, before its first caller gets it; at once if it was loaded before, or loads cannot be seen. */
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
  // Where a later load cannot be seen, it is loaded to be sure.
  if (isBuiltinLoaded('https') !== false || !beforeBuiltinLoads('https', noticeHttps)) loadHttps();
}

/** Loads `https`. Waiting callbacks run first. */
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

function noticeHttps(): void {
  if (!isLoading) loadHttps();
}
