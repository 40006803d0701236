import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPackageName } from '../config/root.ts';
import { hasModuleSyntax } from '../loaders/loaded-source.ts';

/** The files that frameworks and drivers made of ES modules are watched in, each with its package. */
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

/** Where such a module hands itself over once it has run; a symbol of the process, since it is written into source text. */
export const doorName = 'throughline.loaded';

/** True if the SDK must wrap this module, by its URL: an ES module cannot be changed from outside. */
export function needsExportsHook(url: string): boolean {
  const packageName = esmFiles.get(url.slice(url.lastIndexOf('/') + 1));
  return (
    packageName !== undefined &&
    url.startsWith('file:') &&
    findPackageName(fileURLToPath(url)) === packageName
  );
}

const self = '__tl_self';

/** The functions with which GraphQL's libraries execute operations. */
export const EXECUTORS: readonly string[] = [
  'execute',
  'executeSync',
  'experimentalExecuteIncrementally',
  'executeIgnoringIncremental',
  'subscribe',
];

/** The module's source, which imports itself and hands over what it exports, at its end. No line of it moves. */
export function appendExportsHook(source: string, url: string): string {
  const path = fileURLToPath(url);
  if (isExecutor(path)) return withReplaceableFunctions(source, JSON.stringify(path));
  const handOver = `globalThis[Symbol.for('${doorName}')]?.(${JSON.stringify(path)}, ${self});`;
  return `${source}\n;import * as ${self} from ${JSON.stringify(url)};${handOver}\n`;
}

/** The same for a file that is bundled: it says what package it is of, since where it runs that cannot be looked up. Only a CommonJS file's exports can be replaced. */
export function withBundledDoor(source: string, path: string, packageName: string): string {
  const shown = JSON.stringify(basename(path));
  const handOver = (exported: string): string =>
    `globalThis[Symbol.for('${doorName}')]?.(${shown}, ${exported}, ${JSON.stringify(packageName)})`;
  const isModule = hasModuleSyntax(source);
  if (isModule && isExecutor(path)) return withReplaceableFunctions(source, shown, packageName);
  return isModule
    ? `${source}\n;import * as ${self} from ${JSON.stringify(`./${basename(path)}`)};${handOver(self)};\n`
    : `${source}\n;module.exports = ${handOver('module.exports')} ?? module.exports;\n`;
}

function isExecutor(path: string): boolean {
  return /[\\/]execute\.m?js$/.test(path);
}

/** Lets replacements of these functions reach all importers, by a line at the end of the module. */
function withReplaceableFunctions(source: string, shown: string, packageName?: string): string {
  const names = EXECUTORS.filter((name) => source.includes(`\nexport function ${name}(`));
  if (names.length === 0) return source;
  const list = names.join(', ');
  const of = packageName === undefined ? '' : `, ${JSON.stringify(packageName)}`;
  return `${source}\n;{ const ${self} = { ${list} }; globalThis[Symbol.for('${doorName}')]?.(${shown}, ${self}${of}); ({ ${list} } = ${self}); }\n`;
}
