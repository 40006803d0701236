/** `npm run test:unit`: runs the tests that start no process and no store, and prints one line `N passed, N failed`. Needs no build. */
import { join } from 'node:path';
import { runAll, vitest } from './testing/counting.mjs';
import { ensureInstalled, root } from './workspace.mjs';

await ensureInstalled();
await runAll([
  { name: 'unit', run: () => vitest(['--mode', 'unit'], join(root, '.cache', 'test-unit', 'unit.json')) },
]);
