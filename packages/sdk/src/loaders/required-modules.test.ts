import { expect, test } from 'vitest';
import { RequiredModules } from './required-modules.ts';

const reported = (...sources: readonly string[]): string[] => {
  const lines: string[] = [];
  const required = new RequiredModules((line) => lines.push(line));
  for (const source of sources) required.note(source, '/srv/price.mjs');
  return lines;
};

test.each([
  "import { tax } from './tax.mjs';",
  "import tax,\n{ rate }\nfrom '../tax.mjs'",
  "export * from './tax.mjs'",
  "const a = 1;\n  import './tax.mjs'",
])('one line reports that the imports of a required module are not traced: %j', (source) => {
  const lines = reported(source, source);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^the imports of \/srv\/price\.mjs are not traced: .*require\(\)/);
});

test.each(["import { join } from 'node:path'", 'export const tax = 1', "const text = './tax.mjs'"])(
  'nothing is reported for a module that imports none of the host’s files: %j',
  (source) => {
    expect(reported(source)).toEqual([]);
  },
);
