import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPackageName } from '../project/root.ts';
import { hasModuleSyntax } from './loaded-source.ts';

/** The ES module files of frameworks and drivers that the SDK patches, each with its package. */
const esmFiles: ReadonlyMap<string, string> = new Map([
  ['router.js', 'hono'],
  ['query.js', 'postgres'],
  ['execute.mjs', 'graphql'],
  ['execute.js', '@graphql-tools/executor'],
  ...[
    'router-execution-context.js',
    'middleware-module.js',
    'guards-consumer.js',
    'interceptors-consumer.js',
    'pipes-consumer.js',
    'exceptions-handler.js',
    'router-proxy.js',
  ].map((file): [string, string] => [file, '@nestjs/core']),
]);

/**
 * Name of the symbol under which a global function is stored. Code that is appended to a module passes the exports to this function once
 * the module has run. The symbol is in the global registry, because source code refers to it by name.
 */
export const exportsHookName = 'throughline.loaded';

/**
 * Decides by a module's URL if code must be appended to the module when it loads. The code is necessary because the exports of an ES module
 * cannot be replaced from outside.
 */
export function needsExportsHook(url: string): boolean {
  const packageName = esmFiles.get(url.slice(url.lastIndexOf('/') + 1));
  return (
    packageName !== undefined &&
    url.startsWith('file:') &&
    findPackageName(fileURLToPath(url)) === packageName
  );
}

const self = '__tl_self';

/** The functions that GraphQL libraries use to execute operations. */
export const EXECUTORS: readonly string[] = [
  'execute',
  'executeSync',
  'experimentalExecuteIncrementally',
  'executeIgnoringIncremental',
  'subscribe',
];

/** Appends code to a module's source, without moving a line. The code imports the module itself and passes its exports to the SDK. */
export function appendExportsHook(source: string, url: string): string {
  const path = fileURLToPath(url);
  if (isExecutor(path)) return withReplaceableFunctions(source, JSON.stringify(path));
  const handOver = `globalThis[Symbol.for('${exportsHookName}')]?.(${JSON.stringify(path)}, ${self});`;
  return `${source}\n;import * as ${self} from ${JSON.stringify(url)};${handOver}\n`;
}

/**
 * Like {@link appendExportsHook}, for a file that is bundled. The code passes the package's name, because the name cannot be looked up
 * where the bundle runs. Apart from the {@link EXECUTORS}, exports can be replaced only in CommonJS files.
 */
export function appendBundledExportsHook(source: string, path: string, packageName: string): string {
  const shown = JSON.stringify(basename(path));
  const handOver = (exported: string): string =>
    `globalThis[Symbol.for('${exportsHookName}')]?.(${shown}, ${exported}, ${JSON.stringify(packageName)})`;
  const isModule = hasModuleSyntax(source);
  if (isModule && isExecutor(path)) return withReplaceableFunctions(source, shown, packageName);
  return isModule
    ? `${source}\n;import * as ${self} from ${JSON.stringify(`./${basename(path)}`)};${handOver(self)};\n`
    : `${source}\n;module.exports = ${handOver('module.exports')} ?? module.exports;\n`;
}

function isExecutor(path: string): boolean {
  return /[\\/]execute\.m?js$/.test(path);
}

/** Appends a line to the module. With this line, the SDK can replace the module's {@link EXECUTORS} for all importers. */
function withReplaceableFunctions(source: string, shown: string, packageName?: string): string {
  const names = EXECUTORS.filter((name) => source.includes(`\nexport function ${name}(`));
  if (names.length === 0) return source;
  const list = names.join(', ');
  const of = packageName === undefined ? '' : `, ${JSON.stringify(packageName)}`;
  return `${source}\n;{ const ${self} = { ${list} }; globalThis[Symbol.for('${exportsHookName}')]?.(${shown}, ${self}${of}); ({ ${list} } = ${self}); }\n`;
}
