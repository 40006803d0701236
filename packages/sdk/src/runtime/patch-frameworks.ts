import Module from 'node:module';
import { basename } from 'node:path';
import { connectFiles } from '../frameworks/connect.ts';
import { expressFiles } from '../frameworks/express/files.ts';
import { subscribeToFastify } from '../frameworks/fastify.ts';
import { fastifyFiles } from '../frameworks/fastify-router.ts';
import type { FrameworkFile } from '../frameworks/framework.ts';
import { graphqlFiles } from '../frameworks/graphql/files.ts';
import { hapiFiles } from '../frameworks/hapi/files.ts';
import { honoFiles } from '../frameworks/hono.ts';
import { injectFiles } from '../frameworks/inject.ts';
import { koaFiles } from '../frameworks/koa.ts';
import { nestFiles } from '../frameworks/nest.ts';
import { hasLoadHooks, onLoad } from '../internal/module-hooks.ts';
import { reportDetail, reportFault } from '../internal/report.ts';
import { driverFiles } from '../libraries/drivers/files.ts';
import { appendExportsHook, exportsHookName, needsExportsHook } from '../loaders/expose-exports.ts';
import { readSourceText } from '../loaders/loaded-source.ts';
import { findPackageName } from '../project/root.ts';

const byName = new Map<string, FrameworkFile[]>();
for (const file of [
  ...expressFiles,
  ...connectFiles,
  ...fastifyFiles,
  ...koaFiles,
  ...hapiFiles,
  ...honoFiles,
  ...nestFiles,
  ...driverFiles,
  ...injectFiles,
  ...graphqlFiles,
]) {
  const others = byName.get(file.file);
  if (others === undefined) byName.set(file.file, [file]);
  else others.push(file);
}

let isPatched = false;

/**
 * Patches the frameworks and database drivers that this process loads, before or after this call, required or imported, in any number of
 * copies and under any alias. A file is identified by its own name and by the name in its package's package.json. A framework that is not
 * installed costs nothing.
 */
export function patchFrameworks(): void {
  if (isPatched) return;
  isPatched = true;
  subscribeToFastify();
  patchRequired();
  patchImported();
}

function patchRequired(): void {
  const cache: unknown = Reflect.get(Module, '_cache');
  if (typeof cache === 'object' && cache !== null) {
    for (const loaded of Object.values(cache)) if (loaded instanceof Module) look(loaded);
  }
  // Replaces `_compile` and not `load`: when `load` returns, Node has already stored the exports for ES modules, which would not see the
  // replaced exports.
  const compile: unknown = Reflect.get(Module.prototype, '_compile');
  if (typeof compile !== 'function') return;
  Reflect.set(Module.prototype, '_compile', function (this: Module, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(compile, this, args);
    look(this);
    return result;
  });
}

function look(module: Module): void {
  const path = module.filename;
  if (typeof path !== 'string') return;
  const replaced = replaceExports(path, () => module.exports);
  if (replaced !== undefined) module.exports = replaced;
}

/** Receives the exports of imported modules from the appended code. On Node 20, the loader thread appends this code. */
function patchImported(): void {
  Object.defineProperty(globalThis, Symbol.for(exportsHookName), {
    value: (path: string, exported: unknown, packageName?: string) =>
      replaceExports(path, () => exported, packageName),
  });
  if (!hasLoadHooks) return;
  onLoad((loaded, url) => {
    if (loaded.format !== 'module') return loaded;
    try {
      const source = needsExportsHook(url) ? readSourceText(loaded.source) : null;
      return source === null ? loaded : { ...loaded, source: appendExportsHook(source, url) };
    } catch (error) {
      reportFault('Recognizing a framework', error);
      return loaded;
    }
  });
}

/**
 * Finds the framework's package to which a file belongs. Bundler plugins need this, because a file cannot be identified by its path once it
 * is in the bundle. Returns undefined if the SDK need not patch the file.
 */
export function findFramework(path: string): string | undefined {
  const files = byName.get(basename(path));
  const packageName = files === undefined ? undefined : findPackageName(path);
  return packageName !== undefined && files?.some(({ packages }) => packages.includes(packageName))
    ? packageName
    : undefined;
}

/** Returns the object that replaces a file's exports; undefined if the exports stay unchanged. */
function replaceExports(path: string, exports: () => unknown, known?: string): unknown {
  const files = byName.get(basename(path));
  if (files === undefined) return undefined;
  try {
    const exported = exports();
    let packageName = known;
    for (const file of files) {
      if (known === undefined && file.folder !== undefined && !path.includes(file.folder)) continue;
      if (!file.couldBe(exported)) continue;
      // The package is looked up only for files that can match, because the lookup reads files.
      packageName ??= findPackageName(path) ?? '';
      if (!file.packages.includes(packageName)) continue;
      reportDetail(`watching ${path}`);
      return file.patch(exported);
    }
  } catch (error) {
    reportFault('Recognizing a framework', error);
  }
  return undefined;
}
