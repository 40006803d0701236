/**
 * Bundles each OpenTelemetry instrumentation that the SDK uses into its own file. The SDK loads the bundled file after the host has loaded
 * the instrumented library. Installed as dependencies, the instrumentations would add 22 MB and two packages that hook every `require` and
 * `import`. The bundles have 0.2 MB.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type InputOptions, type Plugin, rolldown } from 'rolldown';
import { instrumented } from './src/libraries/known.ts';

const folder = join(import.meta.dirname, 'src', 'libraries', 'instrumentations');
const conventions = '@opentelemetry/semantic-conventions';
const notice =
  '/*! Contains instrumentations of OpenTelemetry: Copyright The OpenTelemetry Authors, Apache-2.0 */';

/** Writes `instrumentation-NAME.cjs` for each instrumentation, and their shared code, to `dist`. */
export async function bundleInstrumentations(dist: string, shared: InputOptions): Promise<void> {
  const names = Object.keys(instrumented);
  const bundle = await rolldown({
    ...shared,
    input: Object.fromEntries(names.map((name) => [`instrumentation-${name}`, join(folder, `${name}.ts`)])),
    plugins: [bundleUsedConventions()],
    resolve: {
      ...shared.resolve,
      // Leaves out the packages that hook module loading: they are not needed, because the SDK passes the loaded library to the
      // instrumentation.
      alias: {
        'require-in-the-middle': join(folder, 'no-hooks.ts'),
        'import-in-the-middle': join(folder, 'no-hooks.ts'),
      },
    },
  });
  await bundle.write({
    dir: dist,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'instrumentations-[name].cjs',
    exports: 'named',
    minify: true,
    banner: notice,
  });
  await bundle.close();
}

/** Bundles only the used constants of `@opentelemetry/semantic-conventions`, because `require` would load all 0.4 MB. */
function bundleUsedConventions(): Plugin {
  const virtual = `\0${conventions}`;
  const used = new Set<string>();
  const everything: object = createRequire(import.meta.url)(conventions);
  return {
    name: 'only-used-conventions',
    resolveId: (source) => (source === conventions ? virtual : null),
    load(id) {
      if (id !== virtual) return null;
      for (const text of readInstrumentationSources()) {
        for (const [, name = ''] of text.matchAll(/\bsemantic_conventions_\d+\.(\w+)/g)) used.add(name);
      }
      const lines = [...used]
        .sort()
        .map((name) => `exports.${name} = ${JSON.stringify(readConstant(everything, name))};`);
      return lines.join('\n');
    },
  };
}

function readConstant(conventionsModule: object, name: string): string {
  const value: unknown = Reflect.get(conventionsModule, name);
  if (typeof value !== 'string') throw new Error(`${conventions} has no text ${name}`);
  return value;
}

/** Returns the source texts of all bundled OpenTelemetry packages, to be searched for names of semantic conventions. */
function readInstrumentationSources(): string[] {
  const main = createRequire(import.meta.url).resolve('@opentelemetry/instrumentation');
  const scope = main.slice(0, main.lastIndexOf('@opentelemetry') + '@opentelemetry'.length);
  const names = Object.keys(instrumented).map((name) => `instrumentation-${name}`);
  return ['core', 'instrumentation', 'sql-common', 'redis-common', ...names].flatMap((name) => {
    const source = join(scope, name, 'build', 'src');
    return readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(source, file), 'utf8'));
  });
}
