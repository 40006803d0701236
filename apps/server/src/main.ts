/** The server in development and in tests; in production where NODE_ENV says so. */
import { importQuickly } from './platform/quick-imports.ts';

const { run } = await importQuickly(() => import('./run.ts'));
await run(process.argv.slice(2), false);
