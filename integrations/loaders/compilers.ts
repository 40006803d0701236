import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync as babel } from '@babel/core';
import { transformSync as swc } from '@swc/core';
import { throughline } from '@throughline/node/plugin';
import { build, transformSync as esbuild } from 'esbuild';
import ts from 'old-typescript';
import { type Plugin, rollup } from 'rollup';
import webpack from 'webpack';
import type { Project } from './project.ts';

type Ncc = (entry: string, options: object) => Promise<{ readonly code: string; readonly map: string }>;
/** `@vercel/ncc` ships no type declarations. */
const ncc: Ncc = createRequire(import.meta.url)('@vercel/ncc');

/** Files of the fixture, without extensions. */
const sources = ['app', 'lib/index', 'lib/orders', 'lib/stock'];
export const script = 'dist/app.js';

interface Compiled {
  readonly code: string;
  /** The source map as JSON. */
  readonly map: string;
}

type Compile = (source: string, file: string) => Compiled;
export type Build = (project: Project) => void | Promise<void>;

/** Compiles each file separately, and writes its source map next to it if `withMaps`. */
function filesBy(compile: Compile, withMaps = true): Build {
  return (project) => {
    for (const name of sources) {
      const file = join(project.folder, `${name}.ts`);
      const source = readFileSync(file, 'utf8').replace(/'(\.\/[\w/]+)\.ts'/g, "'$1.js'");
      const { code, map } = compile(source, file);
      const named = code.replace(/\n\/\/# sourceMappingURL=.*/, '');
      const comment = `\n//# sourceMappingURL=${name.replace(/^.*\//, '')}.js.map\n`;
      project.write(`dist/${name}.js`, named + (withMaps ? comment : ''));
      if (withMaps) project.write(`dist/${name}.js.map`, map);
    }
  };
}

const compileByTypeScript =
  (target: ts.ScriptTarget, importHelpers: boolean, module = ts.ModuleKind.CommonJS): Compile =>
  (source, file) => {
    const { outputText, sourceMapText = '' } = ts.transpileModule(source, {
      fileName: file,
      compilerOptions: {
        target,
        module,
        importHelpers,
        esModuleInterop: true,
        downlevelIteration: true,
        sourceMap: true,
      },
    });
    return {
      code: outputText,
      map: sourceMapText.replace(/"sources":\[[^\]]*\]/, `"sources":[${JSON.stringify(file)}]`),
    };
  };

export const byTypeScript = (
  target: keyof typeof ts.ScriptTarget,
  importHelpers = false,
  withMaps = true,
): Build => filesBy(compileByTypeScript(ts.ScriptTarget[target], importHelpers), withMaps);

export const byBabel = (exclude: string[], targets: object): Build =>
  filesBy((source, file) => {
    const done = babel(source, {
      filename: file,
      configFile: false,
      babelrc: false,
      sourceMaps: true,
      presets: [
        [fileURLToPath(import.meta.resolve('@babel/preset-env')), { targets, exclude, modules: 'commonjs' }],
        fileURLToPath(import.meta.resolve('@babel/preset-typescript')),
      ],
    });
    return { code: done?.code ?? '', map: JSON.stringify({ ...done?.map, sources: [file] }) };
  });

export const bySwc = (target: 'es5' | 'es2015' | 'es2016' | 'es2022'): Build =>
  filesBy((source, file) => {
    const { code, map = '' } = swc(source, {
      filename: file,
      sourceMaps: true,
      module: { type: 'commonjs' },
      jsc: { target, parser: { syntax: 'typescript' } },
    });
    return { code, map };
  });

export const byEsbuild = (target: string): Build =>
  filesBy((source, file) =>
    esbuild(source, { loader: 'ts', target, format: 'cjs', sourcemap: true, sourcefile: file }),
  );

export const bundledByEsbuild =
  (target: string): Build =>
  async (project) => {
    await build({
      entryPoints: [join(project.folder, 'app.ts')],
      absWorkingDir: project.folder,
      outfile: join(project.folder, script),
      bundle: true,
      platform: 'node',
      target,
      sourcemap: true,
      logLevel: 'error',
    });
  };

const compileInRollup: Plugin = {
  name: 'compile',
  transform(code, id) {
    return compileByTypeScript(ts.ScriptTarget.ES2015, false, ts.ModuleKind.ESNext)(code, id);
  },
};

export const bundledByRollup =
  (withPlugin: boolean): Build =>
  async (project) => {
    const plugin = withPlugin ? [throughline.rollup({ root: project.folder })] : [];
    const bundle = await rollup({
      input: join(project.folder, 'app.ts'),
      external: ['node:http'],
      plugins: [compileInRollup, ...plugin],
    });
    await bundle.write({ file: join(project.folder, script), format: 'cjs', sourcemap: true });
    await bundle.close();
  };

export const bundledByWebpack =
  (target: 'es5' | 'es2015', mode: 'production' | 'development', withPlugin: boolean): Build =>
  async (project) => {
    const loader = { loader: 'swc-loader', options: { jsc: { parser: { syntax: 'typescript' }, target } } };
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
      webpack(
        {
          context: project.folder,
          entry: join(project.folder, 'app.ts'),
          mode,
          target: 'node',
          devtool: 'source-map',
          module: { rules: [{ test: /\.ts$/, use: loader }] },
          output: {
            path: join(project.folder, 'dist'),
            filename: 'app.js',
            devtoolModuleFilenameTemplate: '[absolute-resource-path]',
          },
          plugins: withPlugin ? [throughline.webpack({ root: project.folder })] : [],
        },
        (error, result) => (error ? reject(error) : resolve(result)),
      );
    });
    if (stats?.hasErrors()) throw new Error(stats.toString());
  };

/** Bundles the output of another compiler. */
export const bundledByNcc =
  (before: Build): Build =>
  async (project) => {
    await before(project);
    const options = { sourceMap: true, sourceMapRegister: false, quiet: true, cache: false };
    const { code, map } = await ncc(join(project.folder, script), options);
    writeFileSync(join(project.folder, script), `${code}\n//# sourceMappingURL=app.js.map\n`);
    writeFileSync(join(project.folder, `${script}.map`), map);
  };
