/**
 * Measures the main thread's CPU time to read batches, from unpacked bytes to rows: µs per trace of 20 steps and per OpenTelemetry span.
 * Takes the minimum of 60 runs, the figure that other work on the machine affects least. `--beside DIR` alternates with another checkout
 * and prints the ratio.
 *
 *   node --conditions=source bench/ingest/reading.ts [--beside DIR]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

const TURNS = 60;
/** Number of runs that are not measured, because V8 has not compiled the code yet. */
const WARM_UP = 10;

const Cost = z.object({ trace: z.number(), span: z.number() });
type Cost = z.infer<typeof Cost>;

const { values } = parseArgs({ options: { beside: { type: 'string' } } });
const own = await startReading(resolve(import.meta.dirname, '../..'));
const other = values.beside === undefined ? undefined : await startReading(resolve(values.beside));
const costs: { readonly own: Cost[]; readonly other: Cost[] } = { own: [], other: [] };
for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
  const cost = await read(own);
  const otherCost = other && (await read(other));
  if (turn < WARM_UP) continue;
  costs.own.push(cost);
  if (otherCost !== undefined) costs.other.push(otherCost);
}
own.disconnect();
other?.disconnect();
for (const what of ['trace', 'span'] as const) {
  const least = findLeast(costs.own, what);
  const compared = other === undefined ? '' : `, ${compare(least, findLeast(costs.other, what))}`;
  console.log(`${what}: ${least.toFixed(1)} µs${compared}`);
}

async function startReading(root: string): Promise<ChildProcess> {
  const child = fork(new URL('reading-process.ts', import.meta.url), [root]);
  await once(child, 'message');
  return child;
}

async function read(child: ChildProcess): Promise<Cost> {
  const answered = once(child, 'message');
  child.send('read');
  const [cost] = await answered;
  return Cost.parse(cost);
}

function findLeast(all: readonly Cost[], what: keyof Cost): number {
  return Math.min(...all.map((cost) => cost[what]));
}

function compare(least: number, other: number): string {
  return `${(least / other).toFixed(2)} times the other's ${other.toFixed(1)} µs`;
}
