import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { App, stripsTypes } from '../harness/app.ts';
import { findLine, step, tree } from '../harness/trees.ts';
import { modules, Project } from './project.ts';
import { order, testShop, type WayToStart } from './shop.ts';

const auto = ['--import', '@throughline/node/auto'];
const tsx = ['--import', 'tsx'];
const required = ['--require', '@throughline/node/auto'];
const registerTsNode =
  'data:text/javascript,import { register } from "node:module"; register("ts-node/esm", "file://" + process.cwd() + "/");';
const tsNode = ['--require', 'ts-node/register'];

const sources = ['app', 'lib/prices'];

/** Rewrites the import in the source to the extension that a compiler requires. */
function importAs(project: Project, extension: '' | '.js'): void {
  const app = readFileSync(join(project.folder, 'app.ts'), 'utf8');
  project.write('app.ts', app.replace("'./lib/prices.ts'", `'./lib/prices${extension}'`));
}

function configure(
  project: Project,
  type: 'module' | 'commonjs',
  compilerOptions: object,
  more: object = {},
): void {
  project.write('package.json', JSON.stringify({ name: 'fixture-loaders-ts', type }));
  const shared = { strict: true, skipLibCheck: true, types: ['node'], rootDir: '.', sourceMap: true };
  project.write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { ...shared, ...compilerOptions }, ...more }),
  );
}

function prepareTsNode(project: Project): void {
  importAs(project, '');
  configure(project, 'commonjs', { target: 'es2022', module: 'commonjs', esModuleInterop: true });
}

function tsc(project: Project, type: 'module' | 'commonjs', options: object): void {
  importAs(project, '.js');
  const outputs = { outDir: 'dist', module: 'nodenext', target: 'es2022' };
  configure(project, type, { ...outputs, ...options }, { files: ['app.ts'] });
  execFileSync(process.execPath, [join(modules, 'old-typescript', 'bin', 'tsc'), '-p', project.folder], {
    stdio: 'inherit',
  });
}

function swc(project: Project, type: 'es6' | 'commonjs'): void {
  importAs(project, '.js');
  configure(project, type === 'es6' ? 'module' : 'commonjs', {});
  for (const name of sources) {
    const { code, map = '' } = transformSync(readFileSync(join(project.folder, `${name}.ts`), 'utf8'), {
      filename: join(project.folder, `${name}.ts`),
      sourceMaps: true,
      module: { type },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    const file = `dist/${name}.js`;
    project.write(file, `${code}\n//# sourceMappingURL=${file.replace(/^.*\//, '')}.map\n`);
    project.write(`${file}.map`, map);
  }
}

/** ts-node needs the JavaScript API of TypeScript 5; `typescript` 7 does not have it. */
const tsNodeEnv = { TS_NODE_COMPILER: 'old-typescript' };
const byTsNode = {
  fixture: 'ts',
  script: 'app.ts',
  prepare: prepareTsNode,
  // Turns ts-node's slow type checks off. `ts-node with its checks` tests that code injected by the SDK passes them.
  env: { ...tsNodeEnv, TS_NODE_TRANSPILE_ONLY: 'true' },
} as const;
/** The `tsx` command forwards signals, and reports its child's death as an exit code. */
const byTsxCommand = {
  fixture: 'ts',
  script: 'node_modules/tsx/dist/cli.mjs',
  flags: [],
  ends: { code: 143, signal: null },
} as const;
const byTsc = { fixture: 'ts', script: 'dist/app.js' } as const;

const WAYS: readonly [string, WayToStart][] = [
  ['tsx, after the SDK', { fixture: 'ts', script: 'app.ts', flags: [...auto, ...tsx] }],
  ['tsx, before the SDK', { fixture: 'ts', script: 'app.ts', flags: [...tsx, ...auto] }],
  [
    'tsx, CommonJS, after the SDK',
    {
      fixture: 'ts',
      script: 'app.ts',
      flags: [...auto, ...tsx],
      prepare: (project) => project.write('package.json', '{"name": "fixture-loaders-ts"}'),
    },
  ],
  [
    'tsx, CommonJS, before the SDK',
    {
      fixture: 'ts',
      script: 'app.ts',
      flags: [...tsx, ...auto],
      prepare: (project) => project.write('package.json', '{"name": "fixture-loaders-ts"}'),
    },
  ],
  ['the command tsx', { ...byTsxCommand, args: [...auto, 'app.ts'] }],
  [
    'the command tsx, the SDK in NODE_OPTIONS',
    { ...byTsxCommand, args: ['app.ts'], env: { NODE_OPTIONS: auto.join(' ') } },
  ],
  ['ts-node with its checks', { ...byTsNode, flags: [...required, ...tsNode], env: tsNodeEnv }],
  ['ts-node, after the SDK', { ...byTsNode, flags: [...required, ...tsNode] }],
  ['ts-node, before the SDK', { ...byTsNode, flags: [...tsNode, ...required] }],
  [
    'ts-node, ES modules',
    {
      ...byTsNode,
      flags: [...auto, '--import', registerTsNode],
      stacksAsCompiled: true,
      env: { ...byTsNode.env, NODE_NO_WARNINGS: '1' },
      prepare(project) {
        importAs(project, '.js');
        configure(project, 'module', { target: 'es2022', module: 'nodenext' });
      },
    },
  ],
  [
    'the command ts-node',
    {
      ...byTsNode,
      script: 'node_modules/ts-node/dist/bin.js',
      flags: [],
      args: ['app.ts'],
      env: { ...byTsNode.env, NODE_OPTIONS: required.join(' ') },
    },
  ],
  ['tsc, ES modules', { ...byTsc, prepare: (project) => tsc(project, 'module', {}) }],
  [
    'tsc, CommonJS, maps inside',
    {
      ...byTsc,
      prepare: (project) =>
        tsc(project, 'commonjs', { sourceMap: false, inlineSourceMap: true, esModuleInterop: true }),
    },
  ],
  ['swc, ES modules', { ...byTsc, prepare: (project) => swc(project, 'es6') }],
  ['swc, CommonJS', { ...byTsc, prepare: (project) => swc(project, 'commonjs') }],
];

describe.each(pickRows(WAYS, { usually: 4 }))('%s', (_name, way) => testShop(way));

describe.runIf(stripsTypes)('types stripped by Node', () => {
  testShop({ fixture: 'ts', script: 'app.ts' });
});

test('an async function that was compiled to a generator is one step, above the steps of the functions that it calls and awaits', async () => {
  const collector = new Collector();
  const project = new Project('ts');
  try {
    tsc(project, 'commonjs', { target: 'es2016', lib: ['es2022'], esModuleInterop: true });
    const app = new App(join(project.folder, 'dist/app.js'), {
      collector: await collector.start(),
      cwd: project.folder,
    });
    const lines = [{ sku: 'tea', quantity: 2 }];
    await order(await app.ready(), 'corner', lines);
    await app.stop();
    const trace = await collector.trace('/orders/corner');
    expect(tree(trace)).toEqual([
      'jsonParser',
      ['placeOrder', ['quote', ['lines.map() callback', 'priceOf'], 'amounts.reduce() callback', 'feeOf']],
    ]);
    expect(step(trace, 'quote')).toMatchObject({
      filePath: 'lib/prices.ts',
      lineNumber: findLine('loaders/ts/lib/prices.ts', 'function quote'),
      inputs: { lines },
      outputs: { sum: 22 },
      variables: { localVariables: { amounts: [22], sum: 22 } },
    });
  } finally {
    project.remove();
    await collector.stop();
  }
});
