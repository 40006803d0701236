/**
 * Builds dist/: one CommonJS bundle that holds the SDK's whole state, thin ES module doors that re-export it (so that `require` and `import` in one
 * process meet the same tracer), and the declarations of the public functions.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type InputOptions, rolldown } from 'rolldown';
import manifest from './package.json' with { type: 'json' };

const here = import.meta.dirname;
const dist = join(here, 'dist');

rmSync(dist, { recursive: true, force: true });
await bundle();
writeDoors();
writeTypes();

async function bundle(): Promise<void> {
  const shared: InputOptions = {
    platform: 'node',
    external: Object.keys(manifest.dependencies),
    resolve: { conditionNames: ['source', 'node', 'require', 'default'] },
  };
  const source = (name: string) => join(here, 'src', `${name}.ts`);
  const main = await rolldown({ ...shared, input: { index: source('index'), auto: source('auto') } });
  await main.write({
    dir: dist,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'throughline-[name].cjs',
    exports: 'named',
  });
  await main.close();
  // What Node 20's loader thread runs: a program of its own, which shares no state with the rest.
  const thread = await rolldown({ ...shared, input: { 'load-thread': source('loaders/load-thread') } });
  await thread.write({ dir: dist, format: 'esm', entryFileNames: '[name].mjs' });
  await thread.close();
}

function writeDoors(): void {
  const built: Readonly<Record<string, unknown>> = createRequire(import.meta.url)(join(dist, 'index.cjs'));
  const functions = Object.keys(built)
    .filter((name) => typeof built[name] === 'function')
    .sort();
  if (functions.length < 8) throw new Error(`the bundle exports only ${functions.join(', ')}`);
  const list = functions.join(', ');
  writeFileSync(join(dist, 'index.mjs'), `export { ${list} } from './index.cjs';\n`);
  writeFileSync(join(dist, 'auto.mjs'), "import './auto.cjs';\n");
  writeFileSync(join(dist, 'index.d.mts'), `export * from './index.cjs';\n`);
  for (const kind of ['cts', 'mts']) writeFileSync(join(dist, `auto.d.${kind}`), 'export {};\n');
}

/** Declarations of all that the public functions mention, and of nothing else, as CommonJS types that both doors can use. */
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
  const pending = [join(emitted, 'sdk', 'src', 'index.d.ts')];
  const placed = new Map(pending.map((file) => [file, join(dist, 'index.d.cts')]));
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    const from = file;
    const target = placed.get(from) ?? '';
    const text = readFileSync(from, 'utf8').replace(
      /(from\s+|import\()'([^']+)'/g,
      (whole, lead: string, name: string) => {
        const source = declarationOf(emitted, from, name);
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

/** The emitted declaration that an import leads to: a file of ours, or one of the contract's, which is not published. Undefined for Node's and real packages. */
function declarationOf(emitted: string, from: string, name: string): string | undefined {
  const contract = /^@throughline\/contract\/(.+)$/.exec(name);
  if (contract !== null) return join(emitted, 'contract', 'src', `${contract[1]}.d.ts`);
  return name.startsWith('.') ? resolve(dirname(from), name).replace(/\.(?:ts|js)$/, '.d.ts') : undefined;
}
