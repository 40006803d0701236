import * as nodeModule from 'node:module';
import type { LoaderOptions } from './install.ts';
import type { ThreadData } from './load-thread.ts';
import { mapsStacks } from './maps-stacks.ts';

/** Node 20 and early 22: ES modules go through Node's loader thread. */
export function hookLoaderThread({ root, include, exclude, accessors = false }: LoaderOptions): void {
  const data: ThreadData = { root, include, exclude, withMap: mapsStacks(), accessors };
  const thread = new URL(
    import.meta.url.endsWith('.ts') ? './load-thread.ts' : './load-thread.mjs',
    import.meta.url,
  );
  nodeModule.register(thread, { data });
}
