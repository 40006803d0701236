import type { LoadFnOutput } from 'node:module';
import { sourceText, toFilePath, toFormat } from './loaded-source.ts';
import { onLoad } from './module-hooks.ts';
import type { Transform } from './transform.ts';

/** From here on, CommonJS that is imported is compiled where what is required is. */
const compilesImported = Number.parseInt(process.versions.node, 10) >= 24;

/** Node 22.15 and newer: what is imported comes by here, in this thread. Gives a test for what has been. */
export function hookLoads(transform: Transform): (file: string, content: string) => boolean {
  /** Code that is about to be compiled, by file. */
  const passed = new Map<string, string>();
  function instrumented(loaded: LoadFnOutput, url: string): LoadFnOutput {
    const format = toFormat(loaded.format);
    const isModule = format?.startsWith('module') === true;
    if (format === null || (compilesImported && !isModule)) return loaded;
    const file = toFilePath(url);
    const source = sourceText(loaded.source);
    if (file === null || source === null || !transform.isOwn(file)) return loaded;
    const code = transform.apply(source, file, format);
    if (!isModule) passed.set(file, code);
    return { ...loaded, source: code };
  }

  onLoad((loaded, url, { conditions }) => {
    // CommonJS is instrumented where Node compiles it.
    if (!url.startsWith('file:') || conditions?.includes('require')) return loaded;
    return instrumented(loaded, url);
  });
  return (file, content) => {
    const was = passed.get(file);
    passed.delete(file);
    return was === content;
  };
}
