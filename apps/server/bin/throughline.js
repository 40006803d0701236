#!/usr/bin/env node
/** The command `throughline`: production. JavaScript, so that it is there, and can say what is missing, before anything is built. */
import { existsSync } from 'node:fs';

const OLDEST_NODE = 24;
const built = new URL('../dist/run.js', import.meta.url);

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(`throughline needs Node ${OLDEST_NODE} or newer; this is ${process.version}.\n`);
  process.exit(1);
}
if (!existsSync(built)) {
  process.stderr.write('throughline is not built yet: run `npm run build` first.\n');
  process.exit(1);
}
// Loaded only now: an older Node would stop at what it does not know, with a worse message.
const { run } = await import(built.href);
// Stores, secret, outbox and backups are for this user alone, whatever the folder's own mode is.
process.umask(0o077);
await run(process.argv.slice(2), true);
