/**
 * Measures a traced function with its recording, and the writing of the trace as JSON, in µs per trace of 21 steps. The result is the
 * minimum of many rounds.
 * `--beside DIR` measures another checkout in turn with this one and prints the ratio.
 *
 *   node --conditions=source bench/sdk/encoding/encoding.ts [--beside DIR]
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { compareCheckouts } from '../../lib/compare-checkouts.ts';

const { values } = parseArgs({ options: { beside: { type: 'string' } } });
const Cost = z.object({ recorded: z.number(), encoded: z.number() });
await compareCheckouts(new URL('encoding-process.ts', import.meta.url), ['recorded', 'encoded'], {
  beside: values.beside,
  runs: 60,
  parse: (message) => Cost.parse(message),
});
