/** The server in development and in tests; in production where NODE_ENV says so. */
import { run } from './run.ts';

await run(process.argv.slice(2), false);
