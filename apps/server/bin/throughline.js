#!/usr/bin/env node
/** The command `throughline`, in production mode. Plain JavaScript, so that the command can report a missing build. */
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
// Imported after the checks, because an older Node would stop at unknown syntax with a less helpful message.
const { run } = await import(built.href);
await run(process.argv.slice(2), true);
