#!/usr/bin/env node
/** What the published command `throughline` does: production. */
const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(`throughline needs Node ${OLDEST_NODE} or newer; this is ${process.version}.\n`);
  process.exit(1);
}
// Loaded only now: an older Node would stop at what it does not know, with a worse message.
const { run } = await import('./run.ts');
await run(process.argv.slice(2), true);
