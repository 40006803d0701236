import vm from 'node:vm';
import { runtimeName } from '../../src/internal/runtime-name.ts';
import { installRuntime } from '../../src/record/frame.ts';
import { showAuthorsText } from '../../src/rewritten/function-text.ts';

/** A separate global environment for one run of one test. */
export interface World {
  readonly context: vm.Context;
  readonly printed: string[];
}

/** Creates a context with the functions that test262 requires from its host, and with the SDK's runtime, which is in every traced host. */
export function makeWorld(): World {
  const printed: string[] = [];
  const context = vm.createContext({});
  const global: unknown = vm.runInContext('globalThis', context);
  if (!isObject(global)) throw new Error('a context without a global object');
  const define = (name: string, value: unknown): void => {
    Object.defineProperty(global, name, { value, writable: true, configurable: true, enumerable: false });
  };
  define('print', (line: unknown) => printed.push(String(line)));
  define('$262', {
    global,
    gc: () => undefined,
    createRealm: () => Reflect.get(getGlobal(makeWorld()), '$262'),
    evalScript: (code: string) => vm.runInContext(code, context),
    detachArrayBuffer: (buffer: ArrayBuffer) => void structuredClone(buffer, { transfer: [buffer] }),
  });
  const prototype: unknown = vm.runInContext('Function.prototype', context);
  const runtime = installRuntime();
  if (runtime !== undefined && typeof prototype === 'function') showAuthorsText(prototype, runtime.sources);
  Object.defineProperty(global, runtimeName, { value: Reflect.get(globalThis, runtimeName) });
  return { context, printed };
}

function getGlobal({ context }: World): object {
  const global: unknown = vm.runInContext('globalThis', context);
  return isObject(global) ? global : {};
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
