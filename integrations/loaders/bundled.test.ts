import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Stats as RspackStats, rspack } from '@rspack/core';
import { transformSync } from '@swc/core';
import { throughline } from '@throughline/node/plugin';
import { pickRows } from '@throughline/testkit/thorough';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import { type Plugin, rollup } from 'rollup';
import { build as vite } from 'vite';
import { describe } from 'vitest';
import webpack from 'webpack';
import type { Fixture, Project } from './project.ts';
import { testShop, type WayToStart } from './shop.ts';

const script = 'dist/app.cjs';

function buildEntryPath(project: Project, fixture: Fixture): string {
  return join(project.folder, fixture === 'ts' ? 'app.ts' : 'app.js');
}

async function byEsbuild(project: Project, fixture: Fixture, more: object = {}): Promise<void> {
  await esbuild({
    entryPoints: [buildEntryPath(project, fixture)],
    absWorkingDir: project.folder,
    outfile: join(project.folder, script),
    bundle: true,
    platform: 'node',
    packages: 'external',
    sourcemap: true,
    logLevel: 'error',
    plugins: [throughline.esbuild({ root: project.folder })],
    ...more,
  });
}

/** Compiles with the same options as bundlers' TypeScript plugins. */
const compile: Plugin = {
  name: 'compile',
  transform(code, id) {
    if (!id.endsWith('.ts')) return null;
    const { code: compiled, map = '' } = transformSync(code, {
      filename: id,
      sourceMaps: true,
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    return { code: compiled, map };
  },
};

async function byRollup(project: Project, fixture: Fixture): Promise<void> {
  const bundle = await rollup({
    input: buildEntryPath(project, fixture),
    external: ['express'],
    plugins: [compile, throughline.rollup({ root: project.folder })],
  });
  await bundle.write({ file: join(project.folder, script), format: 'cjs', interop: 'auto', sourcemap: true });
  await bundle.close();
}

async function byRolldown(project: Project, fixture: Fixture): Promise<void> {
  const bundle = await rolldown({
    input: buildEntryPath(project, fixture),
    platform: 'node',
    external: ['express'],
    plugins: [throughline.rolldown({ root: project.folder })],
  });
  await bundle.write({ file: join(project.folder, script), format: 'cjs', sourcemap: true });
  await bundle.close();
}

async function byVite(project: Project, fixture: Fixture, more: object = {}): Promise<void> {
  await vite({
    root: project.folder,
    configFile: false,
    logLevel: 'error',
    plugins: [throughline.vite({ root: project.folder })],
    ...more,
    build: {
      ssr: buildEntryPath(project, fixture),
      outDir: 'dist',
      sourcemap: true,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'app.cjs' } },
    },
  });
}

async function byWebpack(project: Project, fixture: Fixture, more: object = {}): Promise<void> {
  const swc = {
    loader: 'swc-loader',
    options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } },
  };
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    webpack(
      {
        context: project.folder,
        entry: buildEntryPath(project, fixture),
        mode: 'production',
        target: 'node',
        devtool: 'source-map',
        externals: { express: 'commonjs express' },
        module: { rules: [{ test: /\.ts$/, use: swc }] },
        output: { path: join(project.folder, 'dist'), filename: 'app.cjs' },
        plugins: [throughline.webpack({ root: project.folder })],
        ...more,
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
  });
  if (stats?.hasErrors()) throw new Error(stats.toString());
}

async function byRspack(project: Project, fixture: Fixture): Promise<void> {
  const swc = {
    loader: 'builtin:swc-loader',
    options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } },
  };
  const stats = await new Promise<RspackStats | undefined>((resolve, reject) => {
    rspack(
      {
        context: project.folder,
        entry: buildEntryPath(project, fixture),
        mode: 'production',
        target: 'node',
        devtool: 'source-map',
        externals: { express: 'commonjs express' },
        module: { rules: [{ test: /\.ts$/, use: swc, type: 'javascript/auto' }] },
        output: { path: join(project.folder, 'dist'), filename: 'app.cjs' },
        plugins: [throughline.rspack({ root: project.folder })],
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
  });
  if (stats?.hasErrors()) throw new Error(stats.toString());
}

const bundlers = [
  ['esbuild', byEsbuild],
  ['Rollup', byRollup],
  ['Rolldown', byRolldown],
  ['Vite', byVite],
  ['webpack, minified', byWebpack],
  ['Rspack, minified', byRspack],
] as const;

describe.each(pickRows(bundlers, { usually: 3 }))('bundled by %s', (_name, bundle) => {
  describe.each(pickRows<Fixture>(['ts', 'esm'], { usually: 1 }))('from %s', (fixture) => {
    testShop({ fixture, script, prepare: (project) => bundle(project, fixture) });
  });
});

describe.each<[string, WayToStart]>(
  pickRows(
    [
      [
        'CommonJS, bundled by esbuild, minified',
        { fixture: 'cjs', script, prepare: (project) => byEsbuild(project, 'cjs', { minify: true }) },
      ],
      [
        'a bundle that calls init() itself, after what it was made of has run',
        {
          fixture: 'esm',
          script,
          flags: [],
          prepare(project) {
            writeFileSync(
              join(project.folder, 'start.js'),
              "import './app.js';\nimport { init } from '@throughline/node';\ninit();\n",
            );
            return byEsbuild(project, 'esm', { entryPoints: [join(project.folder, 'start.js')] });
          },
        },
      ],
      [
        'with Express in it, by esbuild, minified',
        {
          fixture: 'ts',
          script,
          prepare: (project) =>
            byEsbuild(project, 'ts', { packages: 'bundle', minify: true, keepNames: true }),
        },
      ],
      [
        'with Express in it, by Vite',
        { fixture: 'ts', script, prepare: (project) => byVite(project, 'ts', { ssr: { noExternal: true } }) },
      ],
      [
        'with Express in it, by webpack',
        {
          fixture: 'ts',
          script,
          prepare: (project) =>
            byWebpack(project, 'ts', { externals: {}, mode: 'development', ignoreWarnings: [/./] }),
        },
      ],
      [
        'a bundle made without the plugin, by its source map',
        {
          fixture: 'ts',
          script,
          prepare: (project) => byEsbuild(project, 'ts', { plugins: [], keepNames: true }),
        },
      ],
    ],
    { usually: 3 },
  ),
)('%s', (_name, way) => testShop(way));
