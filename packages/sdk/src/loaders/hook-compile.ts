import { Module } from 'node:module';
import { formatOf } from './loaded-source.ts';
import type { Transform } from './transform.ts';

interface Compiles {
  _compile(this: unknown, content: string, file: string, format?: unknown, ...rest: unknown[]): unknown;
}

/**
 * Everything that is required comes by here, and nearly all CommonJS that is imported: behind compilers such as ts-node and tsx, which would
 * not understand what is put in. `isDone` tells what has been through a load hook already.
 */
export function hookCompile(transform: Transform, isDone: (file: string, content: string) => boolean): void {
  const prototype: unknown = Module.prototype;
  if (!compiles(prototype)) return;
  const compile = prototype._compile;
  prototype._compile = function (this: unknown, content, file, ...rest) {
    const format = formatOf(rest[0]);
    const code =
      typeof content === 'string' && format !== null && transform.isOwn(file) && !isDone(file, content)
        ? transform.apply(content, file, format)
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
