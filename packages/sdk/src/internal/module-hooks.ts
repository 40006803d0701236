import { type LoadFnOutput, type LoadHookContext, registerHooks } from 'node:module';
import { reportFault } from './report.ts';

/** Receives what was loaded from a URL, and returns it or its replacement. Most listeners return it unchanged. */
type Listener = (loaded: LoadFnOutput, url: string, context: LoadHookContext) => LoadFnOutput;

const listeners: Listener[] = [];

/** True on Node 22.15 and newer, whose load hooks see imported and required modules in the thread that runs them. */
export const hasLoadHooks = typeof registerHooks === 'function';

/**
 * Adds a listener. Listeners run in the order they were added, each with the result of the one before; a listener that
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
          reportFault('Checking a loaded module', error);
        }
      }
      return loaded;
    },
  });
}
