import { type LoadFnOutput, type LoadHookContext, registerHooks } from 'node:module';
import { reportFault } from '../internal/report.ts';

/** Gets what was loaded under an address, and gives what takes its place: itself, most of the time. */
type Listener = (loaded: LoadFnOutput, url: string, context: LoadHookContext) => LoadFnOutput;

const listeners: Listener[] = [];

/** Node 22.15 and newer: what is imported, and what is required, comes by in the thread that runs it. */
export const hasLoadHooks = typeof registerHooks === 'function';

/** Listeners are asked in the order in which they came, each with what the one before gave; what one throws is as if it had not been there. */
export function onLoad(listener: Listener): void {
  if (listeners.push(listener) > 1) return;
  registerHooks({
    load(url, context, nextLoad) {
      let loaded = nextLoad(url, context);
      for (const hear of listeners) {
        try {
          loaded = hear(loaded, url, context);
        } catch (error) {
          // Nothing of ours may stop the host from loading its code.
          reportFault('Looking at a loaded module', error);
        }
      }
      return loaded;
    },
  });
}
