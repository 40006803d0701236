/**
 * Builds dist/: one CommonJS bundle with all state of the SDK, ES modules that re-export it (so that `require` and `import` in one process
 * get the same tracer), and the declarations of the public functions. The build writes to another folder and replaces dist/ in one
 * step, so that a running program never reads an incomplete build.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { bundleInstrumentations } from './build-instrumentations.ts';
import manifest from './package.json' with { type: 'json' };

const here = import.meta.dirname;
const cache = join(here, '.cache');
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, 'build-'));
const dist = join(work, 'dist');

/** The package's entry points, each with its source file in src/. */
const entryPoints = { index: 'index', auto: 'auto', plugin: 'plugin/plugin' } as const;

/**
 * Removes comments and indentation, because Node reads the whole bundle when a host starts. Escapes characters beyond ASCII, because V8
 * stores a bundle with such a character in two bytes per character. Local variables get short names. Names of functions and classes stay,
 * because stack traces contain them.
 */
const quickToRead: OutputOptions = {
  minify: { compress: false, mangle: { keepNames: true } },
  plugins: [
    {
      name: 'ascii',
      generateBundle(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk') chunk.code = escapeCode(chunk.code);
        }
      },
    },
  ],
};

try {
  await bundle();
  writeEntryPoints();
  writeTypes();
  takePlace();
} finally {
  rmSync(work, { recursive: true });
}

/**
 * Replaces characters beyond ASCII with `\u` escapes. The code has no comments, so such characters occur only in strings and regular
 * expressions.
 */
function escapeCode(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function bundle(): Promise<void> {
  const shared: InputOptions = {
    platform: 'node',
    external: [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)],
    resolve: { conditionNames: ['source', 'node', 'require', 'default'] },
  };
  const source = (name: string) => join(here, 'src', `${name}.ts`);
  const input = Object.fromEntries(
    Object.entries(entryPoints).map(([entryPoint, file]) => [entryPoint, source(file)]),
  );
  const main = await rolldown({ ...shared, input: { ...input, doctor: source('doctor/main') } });
  await main.write({
    dir: dist,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'throughline-[name].cjs',
    exports: 'named',
    ...quickToRead,
  });
  await main.close();
  await bundleInstrumentations(dist, shared);
  chmodSync(join(dist, 'doctor.cjs'), 0o755);
  // The program that Node 20 runs in its loader thread. It is bundled separately, because it shares no state with the rest of the SDK.
  const thread = await rolldown({ ...shared, input: { 'load-thread': source('loaders/load-thread') } });
  await thread.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].mjs',
    ...quickToRead,
  });
  await thread.close();
}

function writeEntryPoints(): void {
  for (const entryPoint of ['index', 'plugin']) {
    const built: object = createRequire(import.meta.url)(join(dist, `${entryPoint}.cjs`));
    const names = Object.keys(built).sort();
    if (names.length === 0) throw new Error(`${entryPoint}.cjs exports nothing`);
    writeFileSync(
      join(dist, `${entryPoint}.mjs`),
      `export { ${names.join(', ')} } from './${entryPoint}.cjs';\n`,
    );
    writeFileSync(join(dist, `${entryPoint}.d.mts`), `export * from './${entryPoint}.cjs';\n`);
  }
  writeFileSync(join(dist, 'auto.mjs'), "import './auto.cjs';\n");
  for (const kind of ['cts', 'mts']) writeFileSync(join(dist, `auto.d.${kind}`), 'export {};\n');
}

function takePlace(): void {
  const place = join(here, 'dist');
  if (existsSync(place)) renameSync(place, join(work, 'before'));
  renameSync(dist, place);
}

/** Writes the declarations of the types that the public functions use, as CommonJS declarations, which suit both `require` and `import`. */
function writeTypes(): void {
  const emitted = join(dist, 'emitted');
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json'), '--outDir', emitted], {
    stdio: 'inherit',
  });
  const declared = (file: string) => join(emitted, 'sdk', 'src', `${file}.d.ts`);
  const pending = [declared(entryPoints.index), declared(entryPoints.plugin)];
  const placed = new Map([
    [declared(entryPoints.index), join(dist, 'index.d.cts')],
    [declared(entryPoints.plugin), join(dist, 'plugin.d.cts')],
  ]);
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    const from = file;
    const target = placed.get(from) ?? '';
    const text = readFileSync(from, 'utf8').replace(
      /(from\s+|import\()'([^']+)'/g,
      (whole, lead: string, name: string) => {
        const source = findDeclaration(emitted, from, name);
        if (source === undefined) return whole;
        if (!placed.has(source)) {
          placed.set(
            source,
            join(dist, 'types', `${relative(emitted, source).slice(0, -'.d.ts'.length)}.d.cts`),
          );
          pending.push(source);
        }
        const path = relative(dirname(target), placed.get(source) ?? '').replace(/\.d\.cts$/, '.cjs');
        return `${lead}'${path.startsWith('.') ? path : `./${path}`}'`;
      },
    );
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  rmSync(emitted, { recursive: true });
}

/**
 * Returns the emitted declaration file of an imported module, if the module is in the SDK or in the unpublished contract. Returns undefined
 * for Node's modules and for published packages.
 */
function findDeclaration(emitted: string, from: string, name: string): string | undefined {
  const contract = /^@throughline\/contract\/(.+)$/.exec(name);
  if (contract !== null) return join(emitted, 'contract', 'src', `${contract[1]}.d.ts`);
  return name.startsWith('.') ? resolve(dirname(from), name).replace(/\.(?:ts|js)$/, '.d.ts') : undefined;
}
