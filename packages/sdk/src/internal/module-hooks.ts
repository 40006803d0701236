import { type LoadFnOutput, type LoadHookContext, registerHooks } from 'node:module';
import { reportFault } from './report.ts';

/** Receives the result of loading a URL. Returns the same result, as most listeners do, or a replacement. */
type Listener = (loaded: LoadFnOutput, url: string, context: LoadHookContext) => LoadFnOutput;

const listeners: Listener[] = [];

/** True on Node 22.15 and newer. The load hooks of these versions see imported and required modules in the thread that runs the modules. */
export const hasLoadHooks = typeof registerHooks === 'function';

/**
 * Adds a listener. Listeners run in the order in which they were added. Each receives the result of the previous one. A listener that
 * throws is skipped.
 */
export function onLoad(listener: Listener): void {
  if (listeners.push(listener) > 1) return;
  registerHooks({
    load(url, context, nextLoad) {
      let loaded = nextLoad(url, context);
      for (const hear of listeners) {
        try {
          loaded = hear(loaded, url, context);
        } catch (error) {
          // The SDK must never stop the host from loading its code.
          reportFault('Instrumenting a loaded module', error);
        }
      }
      return loaded;
    },
  });
}
