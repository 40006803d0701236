import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findIntegrationTests, findThoroughTests } from './unit-tests.ts';

const root = mkdtempSync(join(tmpdir(), 'throughline-unit-tests-'));
afterAll(() => rmSync(root, { recursive: true }));

const FILES = {
  'kit/package.json': '{"name": "kit", "exports": {".": {"source": "./run.ts"}, "./plain": "./plain.ts"}}',
  'kit/run.ts': "export { spawn } from 'node:child_process';",
  'kit/plain.ts':
    "import type { ChildProcess } from 'node:child_process';\nexport type Child = ChildProcess;",
  'app/package.json': '{"name": "app"}',
  'app/sum.ts': "import { readFileSync } from 'node:fs';\nexport * from './ring.ts';",
  'app/ring.ts': "import './sum.ts';",
  'app/late.ts': "export const open = () => import('chdb');",
  'app/plain.test.ts': "import { sum } from './sum.ts';\nimport type { Child } from 'kit/plain';",
  'app/itself.test.ts': "import {\n  fork,\n} from 'child_process';",
  'app/by-package.test.ts': "import { spawn } from 'kit';",
  'app/when-called.test.ts': "import { open } from './late.ts';",
  'app/more.test.ts': "import { isThorough } from '@throughline/testkit/thorough';",
  'app/only.long.test.ts': "import { isThorough } from '@throughline/testkit/thorough';",
  'app/fixtures/left-out.test.ts': "import 'chdb';",
};
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test('a test is not a unit test if one of its imports leads to a process or a store', () => {
  expect(findIntegrationTests(root, ['kit', 'app']).toSorted()).toEqual([
    'app/by-package.test.ts',
    'app/itself.test.ts',
    'app/when-called.test.ts',
  ]);
});

test('a test counts as running more cases in `npm run test:long` if it imports the `thorough` module and also runs in `npm test`', () => {
  expect(findThoroughTests(root, ['kit', 'app'])).toEqual(['app/more.test.ts']);
});
