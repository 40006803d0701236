import { fileURLToPath } from 'node:url';
import { transformSync } from '@babel/core';
import { transformSync as swc } from '@swc/core';
import { transformSync as esbuild } from 'esbuild';
import ts from 'old-typescript';

type Compile = (source: string) => string;

const byTypeScript =
  (target: ts.ScriptTarget): Compile =>
  (source) =>
    ts.transpileModule(source, {
      compilerOptions: { target, downlevelIteration: true },
      fileName: 'program.js',
    }).outputText;

const bySwc =
  (target: 'es5' | 'es2015'): Compile =>
  (source) =>
    swc(source, {
      isModule: false,
      minify: true,
      jsc: { target, parser: { syntax: 'ecmascript' }, minify: { compress: false, mangle: false } },
    }).code;

/**
 * Runs Babel. Its first call changes how the process formats stacks; this change is undone, since test files that read stacks share the
 * process.
 */
export const babel: typeof transformSync = (source, options) => {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    return transformSync(source, options);
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
};

const byBabel =
  (exclude: string[]): Compile =>
  (source) =>
    babel(source, {
      configFile: false,
      babelrc: false,
      sourceType: 'script',
      compact: true,
      presets: [
        [
          fileURLToPath(import.meta.resolve('@babel/preset-env')),
          { targets: { node: '6' }, exclude, include: exclude.length === 0 ? ['transform-regenerator'] : [] },
        ],
      ],
    })?.code ?? '';

/** Compilers that transform async functions. Each `compile` function compiles a script. */
export const compilers: readonly (readonly [name: string, compile: Compile])[] = [
  ['TypeScript to ES5', byTypeScript(ts.ScriptTarget.ES5)],
  ['TypeScript to ES2015', byTypeScript(ts.ScriptTarget.ES2015)],
  ['SWC to ES5', bySwc('es5')],
  ['SWC to ES2015', bySwc('es2015')],
  ['Babel', byBabel(['transform-regenerator'])],
  ['Babel with regenerator', byBabel([])],
  ['esbuild to ES2015', (source) => esbuild(source, { target: 'es2015' }).code],
];
