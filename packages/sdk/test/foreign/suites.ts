import { join } from 'node:path';

/** A library whose own tests are run. The given folder contains its checkout, in a subfolder with the library's name. */
export interface Suite {
  readonly name: string;
  /** Development packages that the tests need. */
  readonly tools: readonly string[];
  /** Files that the library's build would create, by path. */
  readonly made?: Readonly<Record<string, string>>;
  /** Build commands, each as arguments for Node in the package's folder. */
  readonly build?: readonly (readonly string[])[];
  /** Arguments for Node in the package's folder. The command must print a TAP report. */
  readonly args: readonly string[];
}

/**
 * Timeout of a test. A test that is recorded without a budget takes up to 25 times as long: 10,000 of Sinon's fakes take 29 s, compared
 * with 1.2 s plain. Durations are not compared.
 */
const MOCHA_TIMEOUT_MS = 300_000;

const buildMochaArgs = (...args: string[]): string[] => [
  'node_modules/mocha/bin/mocha.js',
  '--reporter=tap',
  `--timeout=${MOCHA_TIMEOUT_MS}`,
  '--exit',
  ...args,
];
/** Builds the arguments for Mocha before version 8. */
const buildOldMochaArgs = (...args: string[]): string[] => [
  'node_modules/mocha/bin/_mocha',
  ...buildMochaArgs(...args).slice(1),
];
/** Builds the arguments for Node's test runner. A test that hangs is reported, and the other tests of its file still run. */
const buildNodeTestArgs = (...args: string[]): string[] => [
  '--test',
  '--test-reporter=tap',
  '--test-timeout=60000',
  ...args,
];

export const SUITES: readonly Suite[] = [
  {
    name: 'express',
    tools: [
      'after',
      'connect-redis',
      'cookie-parser',
      'cookie-session',
      'ejs',
      'express-session',
      'hbs',
      'marked',
      'method-override',
      'mocha',
      'morgan',
      'pbkdf2-password',
      'supertest',
      'vhost',
    ],
    args: buildMochaArgs('--require', 'test/support/env', 'test/', 'test/acceptance/'),
  },
  { name: 'koa', tools: ['supertest'], args: buildNodeTestArgs() },
  {
    name: 'jsonata',
    tools: ['chai', 'chai-as-promised', 'mocha', 'request'],
    // Leaves out the tests of infinite recursion. They limit their own time, and one of them makes millions of calls, which takes minutes
    // if it is recorded without a budget.
    args: buildOldMochaArgs('--grep=infinite recursion', '--invert', 'test/**/*.js'),
  },
  {
    name: 'chai',
    tools: ['assertion-error', 'check-error', 'deep-eql', 'loupe', 'mocha', 'pathval'],
    made: { 'index.js': "export * from './lib/chai.js';\n" },
    args: buildMochaArgs('test/*.js'),
  },
  {
    name: 'ramda',
    tools: [
      '@babel/core',
      '@babel/preset-env',
      '@babel/register',
      'babel-plugin-annotate-pure-calls',
      'babel-plugin-import-export-rename',
      'fantasy-land',
      'fast-check',
      'mocha',
      'sanctuary',
      'sanctuary-identity',
      'sanctuary-type-classes',
      'sinon',
    ],
    made: { 'babel-env.cjs': "process.env.BABEL_ENV = 'cjs';\n" },
    args: buildMochaArgs('--require', './babel-env.cjs', '--require', '@babel/register'),
  },
  { name: 'undici', tools: ['@matteo.collina/tspl', 'ws'], args: buildNodeTestArgs('test/*.js') },
  {
    name: 'fastify',
    tools: [
      '@jsumners/line-reporter',
      'ajv',
      'ajv-errors',
      'ajv-formats',
      'ajv-i18n',
      'ajv-merge-patch',
      'fast-json-body',
      'fastify-plugin',
      'fluent-json-schema',
      'h2url',
      'http-errors',
      'joi',
      'JSONStream',
      'node-forge',
      'proxyquire',
      'split2',
      'typebox',
      'undici',
      'vary',
      'yup',
    ],
    args: buildNodeTestArgs('test/**/*.test.js'),
  },
  {
    name: 'pino',
    tools: [
      '@matteo.collina/tspl',
      'execa',
      'flush-write-stream',
      'import-fresh',
      'pino-pretty',
      'proxyquire',
      'pump',
      'split2',
      'steed',
      'strip-ansi',
      'through2',
    ],
    args: buildNodeTestArgs('test/*.test.js'),
  },
  {
    name: 'p-queue',
    tools: ['delay', 'in-range', 'p-defer', 'random-int', 'time-span', 'tsx'],
    args: ['--import=tsx/esm', ...buildNodeTestArgs('test/*.ts')],
  },
  {
    name: 'validator',
    made: Object.fromEntries(
      ['index.js', 'validator.js', 'validator.min.js'].map((file) => [
        file,
        "module.exports = require('./src/index');\n",
      ]),
    ),
    tools: [
      '@babel/core',
      '@babel/preset-env',
      '@babel/register',
      'babel-plugin-add-module-exports',
      'mocha',
      'timezone-mock',
    ],
    args: buildOldMochaArgs(
      '--require',
      '@babel/register',
      'test/validators.test.js',
      'test/sanitizers.test.js',
      'test/util.test.js',
    ),
  },
  {
    name: 'mathjs',
    tools: [
      '@babel/core',
      'assert',
      'eigen',
      'expr-eval',
      'jsep',
      'mocha',
      'ndarray',
      'ndarray-determinant',
      'ndarray-gemm',
      'ndarray-ops',
      'ndarray-pack',
      'numericjs',
      'process',
      'sinon',
      'sylvester',
      'zeros',
    ],
    args: buildMochaArgs('test/unit-tests'),
  },
  {
    name: 'sinon',
    tools: ['@sinonjs/referee', 'debug', 'mocha'],
    args: buildMochaArgs('test/src/**/*-test.js'),
  },
  {
    name: 'ajv',
    tools: [
      'ajv-formats',
      'chai',
      'dayjs',
      'dayjs-plugin-utc',
      'glob',
      'js-beautify',
      'json-schema-test',
      'mocha',
      'module-from-string',
      'node-fetch',
      're2',
      'ts-node',
      'typescript',
      'uri-js',
      '@ajv-validator/config',
      '@types/chai',
      '@types/mocha',
      '@types/node',
      '@types/require-from-string',
    ],
    // Makes Mocha require the tests: it would import them without `ts-node` if Node itself strips types. One test is left out, because its
    // package must be compiled.
    made: {
      'specs.cjs': `for (const file of require('node:fs').globSync('spec/**/*.spec.{ts,js}').sort())
        if (!file.includes('re2')) require('./' + file);\n`,
    },
    // The tests also import the built package `ajv`.
    build: [
      ['node_modules/typescript/bin/tsc', '--skipLibCheck'],
      [
        '--eval',
        `fs.cpSync('lib/refs', 'dist/refs', { recursive: true });
        fs.rmSync('node_modules/ajv', { recursive: true });
        fs.symlinkSync('..', 'node_modules/ajv');`,
      ],
      ['scripts/jsontests.js'],
    ],
    args: buildMochaArgs('--require', 'ts-node/register/transpile-only', 'specs.cjs'),
  },
  {
    name: 'lodash',
    tools: ['lodash', 'qunit-extras', 'qunitjs'],
    args: ['--require', join(import.meta.dirname, 'qunit-tap.cjs'), 'test/test.js'],
  },
  { name: 'commander', tools: [], args: buildNodeTestArgs('tests/*.test.js') },
  {
    name: 'acorn',
    tools: ['@rollup/plugin-buble', 'rollup'],
    build: [['node_modules/rollup/dist/bin/rollup', '-c', 'acorn/rollup.config.mjs']],
    args: [join(import.meta.dirname, 'acorn-tap.cjs')],
  },
];
