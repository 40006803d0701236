import type { LoadFnOutput } from 'node:module';
import { onLoad } from '../internal/module-hooks.ts';
import { readSourceText, toFilePath, toFormat } from './loaded-source.ts';
import type { Transform } from './transform.ts';

/** True from Node 24 on: `hookCompile` then sees imported CommonJS, too, so this hook skips it. */
const compilesImported = Number.parseInt(process.versions.node, 10) >= 24;

/**
 * Instruments imported code in this thread, on Node 22.15 and newer. Returns a function that tests if this hook has already processed a
 * file's content.
 */
export function hookLoads(transform: Transform): (file: string, content: string) => boolean {
  /** Instrumented code that Node is about to compile, by file. */
  const passed = new Map<string, string>();
  function instrumented(loaded: LoadFnOutput, url: string): LoadFnOutput {
    const format = toFormat(loaded.format);
    const isModule = format?.startsWith('module') === true;
    if (format === null || (compilesImported && !isModule)) return loaded;
    const file = toFilePath(url);
    const source = readSourceText(loaded.source);
    if (file === null || source === null || !transform.isOwn(file)) return loaded;
    const code = transform.apply(source, file, format);
    if (!isModule) passed.set(file, code);
    return { ...loaded, source: code };
  }

  onLoad((loaded, url, { conditions }) => {
    // Required CommonJS is instrumented when Node compiles it.
    if (!url.startsWith('file:') || conditions?.includes('require')) return loaded;
    return instrumented(loaded, url);
  });
  return (file, content) => {
    const was = passed.get(file);
    passed.delete(file);
    return was === content;
  };
}
