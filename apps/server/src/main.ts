/** Runs the command line. The server runs in production mode only if NODE_ENV is `production`. */
import { run } from './run.ts';

await run(process.argv.slice(2), false);
