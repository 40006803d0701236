#!/usr/bin/env node
/** What the published command `throughline` does: production. */
import { run } from './run.ts';

await run(process.argv.slice(2), true);
