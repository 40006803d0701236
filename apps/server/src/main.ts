/** The server in development and in tests; in production where NODE_ENV says so. */
import { run } from './run.ts';

// Stores, secret, outbox and backups are for this user alone, whatever the folder's own mode is.
process.umask(0o077);
await run(process.argv.slice(2), false);
