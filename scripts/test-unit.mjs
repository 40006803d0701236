/** `npm run test:unit`: the tests that start no process and no store; then one line `N passed, N failed`. Needs nothing built. */
import { join } from 'node:path';
import { runAll, vitest } from './testing/counting.mjs';
import { ensureInstalled, root } from './workspace.mjs';

await ensureInstalled();
await runAll([
  { name: 'unit', run: () => vitest(['--mode', 'unit'], join(root, '.cache', 'test-unit', 'unit.json')) },
]);
