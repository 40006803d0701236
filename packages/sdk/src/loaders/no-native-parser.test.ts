import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { project, removeProjects, run } from '../../test/traced-project.ts';

afterEach(removeProjects);

/** Preloaded code that simulates a machine without an installed native package. */
const withoutNative = `
const Module = require('node:module');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  if (/^@(rollup|oxc-parser)\\//.test(name)) throw new Error('not installed: ' + name);
  return resolve.call(this, name, ...rest);
};
`;

const host = {
  'without-native.cjs': withoutNative,
  'main.cjs': `
const { total } = require('./total.cjs');
import('./esm.mjs').then(({ twice }) => record(function main() { return twice(total([1, 2])) }));
`,
  'total.cjs': 'exports.total = function total(prices) { const sum = prices[0] + prices[1]; return sum };',
  'esm.mjs': 'export function twice(value) { return value * 2 }',
};

test('without a native parser, functions are traced, and one line reports what is not traced', () => {
  const root = project(host);
  const preload = pathToFileURL(join(root, 'without-native.cjs')).href;
  const { flow, reports, status } = run(root, ['main.cjs'], { NODE_OPTIONS: `--import=${preload}` });
  expect(status).toBe(0);
  expect(flow.map(({ stepName }) => stepName)).toEqual(['main', 'total', 'twice']);
  expect(reports).toEqual([expect.stringMatching(/no native parser is installed.*TypeScript/)]);
});
