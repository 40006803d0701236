import { entryCall, runtimeName } from '../internal/runtime-name.ts';
import type { RewrittenSources } from './sources.ts';

const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
const { captureStackTrace } = Error;
const { toString: nativeToString } = Function.prototype;

/** Returns a function's source as it runs, with the injected code. @throws TypeError if `fn` is not a function. */
export function readRewrittenText(fn: unknown): string {
  return apply(nativeToString, fn, []);
}

/** Returns the author's source of a function, class or method. `text` is the source that runs. */
function restoreAuthorsText(text: string, sources: RewrittenSources): string {
  const entry = text.indexOf(entryCall);
  if (entry < 0) return text;
  const found = sources.ofSite(Number.parseInt(text.slice(entry + entryCall.length), 10));
  const at = found?.insertions.entryOf(found.site);
  if (found === undefined || at === undefined || at < entry) return text;
  const restored = found.insertions.removeFrom(text, at - entry);
  return restored.includes(runtimeName) ? text : restored;
}

/**
 * Makes `Function.prototype.toString` return the author's source: programs compare these strings, use them as keys, read names from them,
 * and send them elsewhere to be run. `prototype` is the `Function.prototype` of a realm.
 */
export function showAuthorsText(prototype: object, sources: RewrittenSources): void {
  const original = getOwnPropertyDescriptor(prototype, 'toString');
  if (original === undefined || typeof original.value !== 'function') return;
  const { value: inherited } = original;
  // The replacement is a method, because methods, like the native function, have no [[Construct]] and no `prototype`.
  const replacement = {
    toString(this: unknown): string {
      let text: unknown;
      try {
        text = apply(inherited, this === replacement.toString ? inherited : this, []);
      } catch (error) {
        try {
          captureStackTrace(error as object, replacement.toString);
        } catch {}
        throw error;
      }
      try {
        return typeof text === 'string' ? restoreAuthorsText(text, sources) : (text as string);
      } catch {
        return text as string;
      }
    },
  };
  defineProperty(prototype, 'toString', { ...original, value: replacement.toString });
}
