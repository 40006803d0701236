import { Module } from 'node:module';
import { toFormat } from './loaded-source.ts';
import type { RequiredModules } from './required-modules.ts';
import type { Transform } from './transform.ts';

type IsDone = (file: string, content: string) => boolean;

interface Compiles {
  _compile(this: unknown, content: string, file: string, format?: unknown, ...rest: unknown[]): unknown;
}

/**
 * Instruments code when Node compiles it: all required code and nearly all imported CommonJS. The hook runs after compilers such as ts-node
 * and tsx, because these could not process injected code. `isDone` tests if a load hook has already instrumented the code.
 */
export function hookCompile(transform: Transform, isDone: IsDone, required?: RequiredModules): void {
  const prototype: unknown = Module.prototype;
  if (!canCompile(prototype)) return;
  const compile = prototype._compile;
  prototype._compile = function (this: unknown, content, file, ...rest) {
    return compile.call(this, instrumented(content, file, rest[0]), file, ...rest);
  };

  function instrumented(content: string, file: string, nodesFormat: unknown): string {
    try {
      const format = toFormat(nodesFormat);
      const isFirst =
        typeof content === 'string' && format !== null && transform.isOwn(file) && !isDone(file, content);
      if (!isFirst) return content;
      if (format.startsWith('module')) required?.note(content, file);
      return transform.apply(content, file, format);
    } catch {
      // Libraries also call `_compile` to compile generated code, with any value as the file name.
      return content;
    }
  }
}

function canCompile(prototype: unknown): prototype is Compiles {
  return (
    typeof prototype === 'object' &&
    prototype !== null &&
    '_compile' in prototype &&
    typeof prototype._compile === 'function'
  );
}
