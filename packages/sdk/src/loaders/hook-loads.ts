import { type LoadFnOutput, type LoadHookSync, registerHooks } from 'node:module';
import { fileOf, sourceText } from './loaded-source.ts';
import type { Format, Transform } from './transform.ts';

/** Node 22.15 and newer: one hook, in this thread, sees everything that is imported or required. */
export function hookLoads(transform: Transform): void {
  const load: LoadHookSync = (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    try {
      return url.startsWith('file:') ? instrumented(loaded, url, transform) : loaded;
    } catch {
      // Nothing of ours may stop the host from loading its code.
      return loaded;
    }
  };
  registerHooks({ load });
}

function instrumented(loaded: LoadFnOutput, url: string, transform: Transform): LoadFnOutput {
  const format = formatOf(loaded.format);
  if (format === null) return loaded;
  const file = fileOf(url);
  if (file === null || !transform.isOwn(file)) return loaded;
  const source = sourceText(loaded.source);
  return source === null ? loaded : { ...loaded, source: transform.apply(source, file, format) };
}

function formatOf(format: string | null | undefined): Format | null {
  switch (format) {
    case 'module':
    case 'commonjs':
    case 'module-typescript':
    case 'commonjs-typescript':
      return format;
    // Required from a package that does not say: Node looks at the source itself.
    case undefined:
    case null:
    case 'typescript':
      return 'undecided';
    default:
      return null;
  }
}
