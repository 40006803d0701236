import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { SourceMapInput } from '@jridgewell/trace-mapping';
import type { UnpluginBuildContext, UnpluginFactory, UnpluginInstance, UnpluginOptions } from 'unplugin';
import type { Instrumented } from '../instrument/instrument.ts';
import { report, runGuarded } from '../internal/report.ts';
import { appendBundledExportsHook } from '../loaders/expose-exports.ts';
import { hasModuleSyntax } from '../loaders/loaded-source.ts';
import { buildOwnCodeTest } from '../loaders/own-code.ts';
import { type Format, Transform } from '../loaders/transform.ts';
import { findProject } from '../project/root.ts';
import { findFramework } from '../runtime/patch-frameworks.ts';

export interface PluginOptions {
  /**
   * The project's root folder, to which the paths of steps are relative. The default is the workspace's root, or else the folder of the
   * nearest package.json at or above the working directory.
   */
  readonly root?: string | undefined;
  /** Globs relative to `root`: only matching files are instrumented. A glob that names node_modules also matches files there. */
  readonly include?: readonly string[] | undefined;
  /** Globs of files that are not instrumented. */
  readonly exclude?: readonly string[] | undefined;
  /** Also traces getters and setters. */
  readonly accessors?: boolean | undefined;
}

type Plugin = UnpluginInstance<PluginOptions | undefined, false>;

/**
 * Instruments a service's own functions when the service is bundled: `throughline.esbuild()`, `.rollup()`, `.rolldown()`, `.vite()`,
 * `.webpack()` and `.rspack()` return a plugin for that bundler. The bundle behaves as without the plugin; if the bundle's process starts
 * the SDK, the service's functions are traced. Put the plugin last. It needs the package `unplugin` (3 or newer), and throws an error with
 * instructions if the package is missing.
 *
 * @example
 * import { throughline } from '@throughline/node/plugin';
 * export default { plugins: [throughline.vite()] };
 */
export const throughline: Pick<Plugin, 'esbuild' | 'rollup' | 'rolldown' | 'vite' | 'webpack' | 'rspack'> = {
  esbuild: (options) => getInstance().esbuild(options),
  rollup: (options) => getInstance().rollup(options),
  rolldown: (options) => getInstance().rolldown(options),
  vite: (options) => getInstance().vite(options),
  webpack: (options) => getInstance().webpack(options),
  rspack: (options) => getInstance().rspack(options),
};

let made: Plugin | undefined;

function getInstance(): Plugin {
  made ??= loadUnplugin().createUnplugin(factory);
  return made;
}

function loadUnplugin(): typeof import('unplugin') {
  try {
    return createRequire(import.meta.url)('unplugin');
  } catch (cause) {
    throw new Error(
      '@throughline/node/plugin needs the package unplugin, on Node 20.19 or newer: npm install --save-dev unplugin',
      { cause },
    );
  }
}

const factory: UnpluginFactory<PluginOptions | undefined, false> = (options = {}) => buildUnplugin(options);

function buildUnplugin(options: PluginOptions): UnpluginOptions {
  const root = options.root ?? findProject(undefined, process.cwd()).root;
  const isOwn = buildOwnCodeTest({ root, include: options.include ?? [], exclude: options.exclude ?? [] });
  const transform = new Transform({
    root,
    isOwn,
    runtime: null,
    withMap: () => false,
    accessors: options.accessors ?? false,
    report,
  });
  return {
    name: 'throughline',
    // The plugin runs after compilers, which cannot process the injected names, and after plugins that read the file from disk, which would
    // discard the changes.
    enforce: 'post',
    transformInclude: (id) => isOwn(stripQuery(id)) || findFramework(stripQuery(id)) !== undefined,
    transform(code, id) {
      const file = stripQuery(id);
      return runGuarded(`Instrumenting ${file}`, () => transformed(code, file, this)) ?? null;
    },
  };

  function transformed(code: string, file: string, context: UnpluginBuildContext): Transformed | null {
    const framework = findFramework(file);
    if (framework !== undefined) return { code: appendBundledExportsHook(code, file, framework), map: null };
    const done = transform.instrument(code, file, detectFormat(file, code), mapSoFar(context));
    return done === null || done.sites.length === 0 ? null : { code: done.code, map: done.map() };
  }
}

interface Transformed {
  readonly code: string;
  readonly map: ReturnType<Instrumented['map']> | null;
}

/** Removes the query that bundlers add to a file's path. */
function stripQuery(id: string): string {
  return id.replace(/\?.*$/, '');
}

function detectFormat(file: string, code: string): Format {
  const kind = /^\.([mc])[jt]s$/.exec(extname(file))?.[1];
  if (kind !== undefined) return kind === 'm' ? 'module' : 'commonjs';
  return hasModuleSyntax(code) ? 'module' : 'undecided';
}

/** Returns the combined source map of earlier plugins and loaders; undefined if they made no map or changed nothing. */
function mapSoFar(context: UnpluginBuildContext): SourceMapInput | undefined {
  const native = context.getNativeBuildContext?.();
  if (native?.framework === 'webpack' || native?.framework === 'rspack') {
    const map: unknown = native.inputSourceMap;
    return typeof map === 'string' || isMap(map) ? map : undefined;
  }
  if (!('getCombinedSourcemap' in context) || typeof context.getCombinedSourcemap !== 'function')
    return undefined;
  const combined: unknown = context.getCombinedSourcemap();
  return isMap(combined) ? combined : undefined;
}

type EncodedMap = Extract<SourceMapInput, { mappings: string }>;

function isMap(value: unknown): value is EncodedMap {
  return (
    typeof value === 'object' && value !== null && 'mappings' in value && typeof value.mappings === 'string'
  );
}
