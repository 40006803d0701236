import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { parseSync, type StaticExportEntry, type StaticImportEntry } from 'oxc-parser';
import { ResolverFactory } from 'oxc-resolver';

/** One module that another names. */
export interface Import {
  readonly specifier: string;
  /** From the root, with `/`; as in `node:fs` for a module of Node's own. Undefined where there is no such module. */
  readonly to: string | undefined;
  /** It is gone when the program runs. */
  readonly isType: boolean;
}

const resolver = new ResolverFactory({
  extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
  conditionNames: ['source', 'import', 'module', 'types', 'node', 'default'],
  builtinModules: true,
});

/** Reads what a file imports, exports again, or loads by a name that is written out. `root` is the folder that paths begin at. */
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
  // A question mark is for the bundler: `./icon.svg?raw`.
  const [bare = ''] = specifier.split('?');
  const { path, builtin } = resolver.sync(dirname(file), bare);
  if (builtin !== undefined) return builtin.resolved;
  return path === undefined ? undefined : relative(root, path).replaceAll('\\', '/');
}
