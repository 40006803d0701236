import { dirname, join } from 'node:path';
import { sdkVersion } from '../config/version.ts';
import { prepareStacks } from '../errors/authors-stacks.ts';
import { hasNativeParser, NO_NATIVE_PARSER } from '../instrument/parsers/load-parser.ts';
import { hasLoadHooks } from '../internal/module-hooks.ts';
import { type FrameRuntime, installRuntime } from '../record/frame.ts';
import { correctCrashReports } from '../rewritten/crash-report.ts';
import { showAuthorsText } from '../rewritten/function-text.ts';
import { cacheCompiledCode } from './cache/compiled-code.ts';
import { findCachePath, InstrumentationCache } from './cache/instrumentation-cache.ts';
import { hookLoads } from './esm-load-hook.ts';
import { hookCompile } from './hook-compile.ts';
import { hookLoaderThread } from './hook-loader-thread.ts';
import { mapsStacks } from './maps-stacks.ts';
import { buildOwnCodeTest } from './own-code.ts';
import { RequiredModules } from './required-modules.ts';
import { Transform } from './transform.ts';

export interface LoaderOptions {
  /** Absolute path of the folder with the host's own code. */
  readonly root: string;
  /** Globs relative to the root. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly accessors?: boolean;
  /** Milliseconds after the last load when the instrumented code is cached for the host's next start. If undefined, nothing is cached. */
  readonly keepAfterMs?: number | undefined;
  /** Receives lines for the host's log, such as the reason why a file is not traced. */
  report(line: string): void;
}

let installed = false;

/**
 * From now on, instruments the host's own code, CommonJS and ES modules, when it is loaded. A second call does nothing. Never throws: if
 * instrumenting is not possible, for example because another copy of the SDK is active, reports one line, and the host runs untraced.
 */
export function installLoaders(options: LoaderOptions): void {
  if (installed) return;
  installed = true;
  try {
    install(options);
  } catch (error) {
    options.report(
      `functions are not traced: ${error instanceof Error ? error.message : 'unknown error'}; run npx @throughline/node doctor to find the reason`,
    );
  }
}

function install(options: LoaderOptions): void {
  const { report } = options;
  const runtime = installRuntime();
  if (runtime === undefined) {
    report(
      'functions are not traced: another copy of the SDK is loaded in this process; keep one (npm ls @throughline/node)',
    );
    return;
  }
  showAuthorsText(Function.prototype, runtime.sources);
  correctCrashReports(runtime.sources);
  const cache = openCache(options, runtime);
  // A host that starts with cached code may need no parser, and a bundle that was instrumented at build time needs none.
  if (cache?.isEmpty !== false && !runtime.hasPrebuilt && !hasNativeParser()) report(NO_NATIVE_PARSER);
  const transform = new Transform({
    root: options.root,
    isOwn: buildOwnCodeTest(options),
    runtime,
    withMap: mapsStacks,
    accessors: options.accessors ?? false,
    cache,
    onLarge: prepareStacks,
    report,
  });
  if (hasLoadHooks) hookCompile(transform, hookLoads(transform));
  else {
    hookCompile(transform, () => false, new RequiredModules(report));
    hookLoaderThread({ ...options, accessors: options.accessors ?? false });
  }
}

function openCache(options: LoaderOptions, runtime: FrameRuntime): InstrumentationCache | undefined {
  const { root, accessors = false, keepAfterMs } = options;
  if (keepAfterMs === undefined) return undefined;
  const path = findCachePath(root);
  if (path === undefined) return undefined;
  const cache = new InstrumentationCache(path, `${sdkVersion}${accessors ? ' accessors' : ''}`, keepAfterMs);
  // The cached code contains ids from 0 on, so it can be used only if no ids are reserved yet.
  if (runtime.reserveSites(cache.ids) !== 0) cache.forget();
  // The first start caches no compiled code: caching takes time, and is of no use if the files are lost at the end, as in a container.
  if (!cache.isEmpty) cacheCompiledCode(join(dirname(path), 'compiled'), cache);
  return cache;
}
