import { expect, test } from 'vitest';
import { filesToTest, needBuild } from './test-files.mjs';

test('the name of a path decides which runner gets the path, and in which mode the runner runs', () => {
  expect(
    filesToTest(['packages/sdk/src/a.test.ts', 'e2e/tests/b.spec.ts', 'c.long.test.ts', 'd.wire.test.ts']),
  ).toEqual({
    node: [
      { paths: ['packages/sdk/src/a.test.ts'] },
      { mode: 'long', paths: ['c.long.test.ts'] },
      { mode: 'wire', paths: ['d.wire.test.ts'] },
    ],
    browser: ['e2e/tests/b.spec.ts'],
  });
});

test('a folder is passed to vitest, unless the folder contains the browser tests', () => {
  expect(filesToTest(['packages/sdk/src/send', 'e2e/tests'])).toEqual({
    node: [{ paths: ['packages/sdk/src/send'] }],
    browser: ['e2e/tests'],
  });
});

test('arguments without a path select no files', () => {
  expect(filesToTest([])).toBeUndefined();
  expect(filesToTest(['--only=types'])).toBeUndefined();
});

test.each([
  [['scripts/code-rules/list-texts.test.ts', 'packages/contract/src/http/routes.test.ts'], false],
  [['scripts/code-rules/list-texts.test.ts', 'packages/sdk/src/send'], true],
  [['e2e/tests/live.spec.ts'], true],
  [['routes.test.ts'], true],
  [['packages/contract-of-another'], true],
])('the paths %j need a build: %j', (paths, isNeeded) => {
  expect(needBuild(paths)).toBe(isNeeded);
});
