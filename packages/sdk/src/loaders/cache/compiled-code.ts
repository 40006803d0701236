import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module';
import type { InstrumentationCache } from './instrumentation-cache.ts';

/**
 * Makes Node cache the code that V8 compiles in `folder`, so that later starts need not compile the host's code again. Instrumented code is
 * longer than its source and takes longer to compile. The cache is written when the start is over, because Node itself writes the cache
 * only at exit, and a signal can end the process earlier.
 *
 * Does nothing if Node is older than 22.10, if the host has chosen a cache itself (`NODE_COMPILE_CACHE`), or if coverage is measured, because
 * V8 counts the calls of cached functions less precisely.
 */
export function cacheCompiledCode(
  folder: string,
  start: Pick<InstrumentationCache, 'callWhenStarted'>,
): void {
  if (typeof flushCompileCache !== 'function' || isCoverageMeasured() || getCompileCacheDir() !== undefined)
    return;
  enableCompileCache(folder);
  if (getCompileCacheDir() !== undefined) start.callWhenStarted(flushCompileCache);
}

function isCoverageMeasured(): boolean {
  return (
    process.env.NODE_V8_COVERAGE !== undefined || process.execArgv.includes('--experimental-test-coverage')
  );
}
