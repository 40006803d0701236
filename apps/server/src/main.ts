/** Runs the server in development and tests, and in production if NODE_ENV is `production`. */
import { run } from './run.ts';

// Only this user can read stores, secret, outbox and backups, whatever the folder's own mode is.
process.umask(0o077);
await run(process.argv.slice(2), false);
