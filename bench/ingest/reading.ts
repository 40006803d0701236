/**
 * Measures the main thread's CPU time to read batches, from unpacked bytes to rows: µs per trace of 20 steps and per OpenTelemetry span.
 * The result is the minimum of 60 runs. `--beside DIR` measures another checkout in turn with this one and prints the ratio.
 *
 *   node --conditions=source bench/ingest/reading.ts [--beside DIR]
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { compareCheckouts } from '../lib/compare-checkouts.ts';

const { values } = parseArgs({ options: { beside: { type: 'string' } } });
const Cost = z.object({ trace: z.number(), span: z.number() });
await compareCheckouts(new URL('reading-process.ts', import.meta.url), ['trace', 'span'], {
  beside: values.beside,
  runs: 60,
  parse: (message) => Cost.parse(message),
});
