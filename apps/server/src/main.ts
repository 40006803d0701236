/** Runs the server in development and tests, and in production if NODE_ENV is `production`. */
import { run } from './run.ts';

await run(process.argv.slice(2), false);
