import type { LoadFnOutput, LoadHook } from 'node:module';
import { report, reportFault } from '../internal/report.ts';
import { appendExportsHook, needsExportsHook } from './expose-exports.ts';
import { readSourceText, toFilePath } from './loaded-source.ts';
import { buildOwnCodeTest } from './own-code.ts';
import { Transform } from './transform.ts';

/**
 * The data that the main thread passes to Node's loader thread. It contains no port: on Node 20, a port passed under
 * `--require` ends the process without a message.
 */
export interface ThreadData {
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly withMap: boolean;
  readonly accessors: boolean;
}

let transform: Transform | undefined;

/** Called by Node with the data passed to `register`. */
export function initialize(data: ThreadData): void {
  transform = new Transform({
    root: data.root,
    isOwn: buildOwnCodeTest(data),
    // Null, because the instrumented code runs in another thread than this one.
    runtime: null,
    withMap: () => data.withMap,
    accessors: data.accessors,
    report,
  });
}

/** Instruments only ES modules. CommonJS is instrumented when Node compiles it. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (transform === undefined || loaded.format !== 'module' || !url.startsWith('file:')) return loaded;
  try {
    return await instrumentLoaded(transform, loaded, url);
  } catch (error) {
    reportFault('Instrumenting a loaded module', error);
    return loaded;
  }
};

async function instrumentLoaded(
  transform: Transform,
  loaded: LoadFnOutput,
  url: string,
): Promise<LoadFnOutput> {
  const file = toFilePath(url);
  const source = readSourceText(loaded.source);
  if (file === null || source === null) return loaded;
  if (needsExportsHook(url)) return { ...loaded, source: appendExportsHook(source, url) };
  if (!transform.isOwn(file)) return loaded;
  return { ...loaded, source: transform.apply(source, file, 'module') };
}
