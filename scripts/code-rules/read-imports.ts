import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { ResolverFactory } from 'oxc-resolver';

/** One import of another module. */
export interface Import {
  readonly specifier: string;
  /**
   * Path relative to the root, with `/`, or a name such as `node:fs` for Node's own modules. Undefined if the module cannot be resolved.
   */
  readonly to: string | undefined;
}

const resolver = new ResolverFactory({
  extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
  conditionNames: ['source', 'import', 'module', 'types', 'node', 'default'],
  builtinModules: true,
});

/** Reads a file's imports, re-exports, and dynamic imports with a literal name. Results are relative to `root`. */
export function readImports(root: string, file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const { module, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const found: Omit<Import, 'to'>[] = [
    ...module.staticImports.map(({ moduleRequest }) => ({ specifier: moduleRequest.value })),
    ...module.staticExports.flatMap(({ entries }) => {
      const again = entries.filter(({ moduleRequest }) => moduleRequest !== null);
      const [first] = again;
      return first?.moduleRequest == null ? [] : [{ specifier: first.moduleRequest.value }];
    }),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, specifier] = /^(?:'([^'\\]*)'|"[^"\\]*")$/.exec(text.slice(start, end)) ?? [];
      return specifier === undefined ? [] : [{ specifier }];
    }),
  ];
  return found.map((one) => ({ ...one, to: resolve(root, file, one.specifier) }));
}

function resolve(root: string, file: string, specifier: string): string | undefined {
  // The query after the question mark is for the bundler: `./icon.svg?raw`.
  const [bare = ''] = specifier.split('?');
  const { path, builtin } = resolver.sync(dirname(file), bare);
  if (builtin !== undefined) return builtin.resolved;
  return path === undefined ? undefined : relative(root, path).replaceAll('\\', '/');
}
