import * as nodeModule from 'node:module';
import type { FrameRuntime } from '../record/frame.ts';
import type { LoaderOptions } from './install.ts';
import type { ThreadData } from './load-thread.ts';
import type { Transform } from './transform.ts';

/** Node 20 and early 22: CommonJS here, where modules are compiled; ES modules in Node's loader thread. */
export function hookOlderNode(transform: Transform, runtime: FrameRuntime, options: LoaderOptions): void {
  hookCompile(transform);
  const ids = new SharedArrayBuffer(4);
  runtime.shareIds(new Int32Array(ids));
  const { root, include, exclude } = options;
  const data: ThreadData = { ids, root, include, exclude, withMap: process.sourceMapsEnabled };
  const thread = new URL(
    import.meta.url.endsWith('.ts') ? './load-thread.ts' : './load-thread.mjs',
    import.meta.url,
  );
  nodeModule.register(thread, { data });
}

interface Compiles {
  _compile(this: unknown, content: string, file: string, ...rest: unknown[]): unknown;
}

function hookCompile(transform: Transform): void {
  const prototype: unknown = nodeModule.Module.prototype;
  if (!compiles(prototype)) return;
  const compile = prototype._compile;
  prototype._compile = function (this: unknown, content, file, ...rest) {
    const code =
      typeof content === 'string' && transform.isOwn(file)
        ? transform.apply(content, file, 'commonjs')
        : content;
    return compile.call(this, code, file, ...rest);
  };
}

function compiles(prototype: unknown): prototype is Compiles {
  return (
    typeof prototype === 'object' &&
    prototype !== null &&
    '_compile' in prototype &&
    typeof prototype._compile === 'function'
  );
}
