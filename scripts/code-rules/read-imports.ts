import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { parseSync, type StaticExportEntry, type StaticImportEntry } from 'oxc-parser';
import { ResolverFactory } from 'oxc-resolver';

/** One import of another module. */
export interface Import {
  readonly specifier: string;
  /**
   * Path relative to the root, with `/`, or a name such as `node:fs` for Node's own modules. Undefined if the module cannot be resolved.
   */
  readonly to: string | undefined;
  /** True for an import of types, which does not exist at run time. */
  readonly isType: boolean;
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
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      isType: areTypes(entries),
    })),
    ...module.staticExports.flatMap(({ entries }) => {
      const again = entries.filter(({ moduleRequest }) => moduleRequest !== null);
      const [first] = again;
      return first?.moduleRequest == null
        ? []
        : [{ specifier: first.moduleRequest.value, isType: areTypes(again) }];
    }),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, specifier] = /^(?:'([^'\\]*)'|"[^"\\]*")$/.exec(text.slice(start, end)) ?? [];
      return specifier === undefined ? [] : [{ specifier, isType: false }];
    }),
  ];
  return found.map((one) => ({ ...one, to: resolve(root, file, one.specifier) }));
}

function areTypes(entries: readonly (StaticImportEntry | StaticExportEntry)[]): boolean {
  return entries.length > 0 && entries.every(({ isType }) => isType);
}

function resolve(root: string, file: string, specifier: string): string | undefined {
  // The query after the question mark is for the bundler: `./icon.svg?raw`.
  const [bare = ''] = specifier.split('?');
  const { path, builtin } = resolver.sync(dirname(file), bare);
  if (builtin !== undefined) return builtin.resolved;
  return path === undefined ? undefined : relative(root, path).replaceAll('\\', '/');
}
