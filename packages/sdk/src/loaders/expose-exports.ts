import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPackageName } from '../project/root.ts';
import { hasModuleSyntax } from './loaded-source.ts';

/** The ES module files of frameworks and drivers that the SDK watches, each with its package. */
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
 * Name of the global symbol whose function receives such a module's exports once the module has run. It is a symbol of
 * the process, because it is written into source code.
 */
export const exportsHookName = 'throughline.loaded';

/** True if a module must be extended when it loads, judged by its URL: exports of an ES module cannot be replaced from outside. */
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

/** Returns the module's source with code at its end that imports the module itself and passes on its exports. No line moves. */
export function appendExportsHook(source: string, url: string): string {
  const path = fileURLToPath(url);
  if (isExecutor(path)) return withReplaceableFunctions(source, JSON.stringify(path));
  const handOver = `globalThis[Symbol.for('${exportsHookName}')]?.(${JSON.stringify(path)}, ${self});`;
  return `${source}\n;import * as ${self} from ${JSON.stringify(url)};${handOver}\n`;
}

/**
 * Like {@link appendExportsHook}, for a file that is bundled. The code passes the package's name, which cannot be looked up where the
 * bundle runs. Only a CommonJS file's exports can be replaced.
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

/** Adds a line to the end of the module that lets the SDK replace these functions for all importers. */
function withReplaceableFunctions(source: string, shown: string, packageName?: string): string {
  const names = EXECUTORS.filter((name) => source.includes(`\nexport function ${name}(`));
  if (names.length === 0) return source;
  const list = names.join(', ');
  const of = packageName === undefined ? '' : `, ${JSON.stringify(packageName)}`;
  return `${source}\n;{ const ${self} = { ${list} }; globalThis[Symbol.for('${exportsHookName}')]?.(${shown}, ${self}${of}); ({ ${list} } = ${self}); }\n`;
}
