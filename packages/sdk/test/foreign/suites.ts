/** Libraries whose own tests are run. Each is a checkout in the folder that is given, under its name. */
export interface Suite {
  readonly name: string;
  /** Those of its development packages that its tests need. */
  readonly tools: readonly string[];
  /** What Node runs, from its folder; the report is TAP. */
  readonly args: readonly string[];
}

const mocha = (...args: string[]): string[] => [
  'node_modules/mocha/bin/mocha.js',
  '--reporter=tap',
  '--exit',
  ...args,
];
const nodeTests = (...args: string[]): string[] => ['--test', '--test-reporter=tap', ...args];

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
    args: mocha('--require', 'test/support/env', 'test/', 'test/acceptance/'),
  },
  { name: 'koa', tools: ['supertest'], args: nodeTests() },
  {
    name: 'jsonata',
    tools: ['chai', 'chai-as-promised', 'mocha', 'request'],
    args: mocha('test/**/*.js'),
  },
  { name: 'chai', tools: ['mocha'], args: mocha('test/*.js') },
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
      'sanctuary-type-classes',
      'sinon',
    ],
    args: mocha('--require', '@babel/register'),
  },
  { name: 'undici', tools: ['@matteo.collina/tspl', 'ws'], args: nodeTests('test/*.js') },
];
