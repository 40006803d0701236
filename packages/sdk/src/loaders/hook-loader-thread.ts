import * as nodeModule from 'node:module';
import type { LoaderOptions } from './install.ts';
import type { ThreadData } from './load-thread.ts';
import { mapsStacks } from './maps-stacks.ts';

/** Instruments ES modules in Node's loader thread, for Node 20 and early versions of 22. */
export function hookLoaderThread({ root, include, exclude, accessors = false }: LoaderOptions): void {
  const data: ThreadData = { root, include, exclude, withMap: mapsStacks(), accessors };
  const thread = new URL(
    import.meta.url.endsWith('.ts') ? './load-thread.ts' : './load-thread.mjs',
    import.meta.url,
  );
  nodeModule.register(thread, { data });
}
