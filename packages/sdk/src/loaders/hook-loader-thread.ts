import * as nodeModule from 'node:module';
import type { ThreadData } from './load-thread.ts';
import { mapsStacks } from './maps-stacks.ts';

/** Instruments ES modules in Node's loader thread, for Node 20 and early versions of 22. */
export function hookLoaderThread(options: Omit<ThreadData, 'withMap'>): void {
  const { root, include, exclude, accessors } = options;
  const data: ThreadData = { root, include, exclude, accessors, withMap: mapsStacks() };
  const thread = new URL(
    import.meta.url.endsWith('.ts') ? './load-thread.ts' : './load-thread.mjs',
    import.meta.url,
  );
  nodeModule.register(thread, { data });
}
