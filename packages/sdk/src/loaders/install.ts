import { loadParser } from '../instrument/parser.ts';
import { installRuntime } from '../record/frame.ts';
import { hookCompile } from './hook-compile.ts';
import { hookLoaderThread } from './hook-loader-thread.ts';
import { hookLoads } from './hook-loads.ts';
import { hasLoadHooks } from './load-hooks.ts';
import { ownCodeTest } from './own-code.ts';
import { Transform } from './transform.ts';

export interface LoaderOptions {
  /** Absolute folder below which the host's own code lies. */
  readonly root: string;
  /** Globs relative to the root. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether getters and setters are traced too. */
  readonly accessors?: boolean;
  /** Gets one line for each thing that a developer should know. */
  report(line: string): void;
}

let installed = false;

/**
 * From now on the host's own code is instrumented as it is loaded, CommonJS and ES modules. A second call does nothing. Never throws: where the
 * native parser is missing, or another copy of the SDK is at work, one line says so and the host runs untraced.
 */
export function installLoaders(options: LoaderOptions): void {
  if (installed) return;
  installed = true;
  try {
    install(options);
  } catch (error) {
    options.report(
      `functions are not traced: ${error instanceof Error ? error.message : 'unknown error'}; npx @throughline/node doctor may tell why`,
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
  const parser = loadParser();
  if ('missing' in parser) {
    // A bundle that was instrumented when it was built needs none.
    if (!runtime.hasBrought) {
      report(
        `functions are not traced: no parser loads here (${parser.missing}); install again on this machine (npm install --include=optional)`,
      );
    }
    return;
  }
  const transform = new Transform({
    root: options.root,
    isOwn: ownCodeTest(options),
    runtime,
    withMap: () => process.sourceMapsEnabled,
    accessors: options.accessors ?? false,
    report,
  });
  if (hasLoadHooks) hookCompile(transform, hookLoads(transform));
  else {
    hookCompile(transform, () => false);
    hookLoaderThread(options);
  }
}
