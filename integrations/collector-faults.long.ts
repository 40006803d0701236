/**
 * Collectors at fault while a host is at load, ten minutes each: `node --conditions=source integrations/collector-faults.long.ts [--minutes 10] [--only 503]`.
 * The host answers as ever, its p99 (the median of windows of ten seconds, in which all are asked in turn) stays within 5 % of the slower of two hosts beside it
 * whose collector is well: two alike differ by up to 20 %. Its memory is flat, what was given up is counted, and all is well afterwards. Ends with `N passed, N failed`; the exit status says the same.
 */
import { parseArgs } from 'node:util';
import { type Fault, faults } from './faults/faults.ts';
import { type Outcome, tryFault, type Window } from './faults/trial.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, only: { type: 'string' } },
});
const seconds = Number(values.minutes) * 60;
const load = { seconds, rate: 80, rows: 12, beside: 2 } as const;

/** What a host may hold more than the one beside it at the end, and grow more from half-time on. Bytes. */
const heldMore = 40e6;
const growth = 8e6;
const p99Ratio = 1.05;

function complaints({ requests, stored, lost, memory, windows }: Outcome): string[] {
  const { half, end, halfBeside, endBeside } = memory;
  const grew = end.heldBytes - half.heldBytes - (endBeside.heldBytes - halfBeside.heldBytes);
  const said: string[] = [];
  if (stored + lost !== requests) said.push(`${requests - stored - lost} traces are unaccounted for`);
  if (end.heldBytes - endBeside.heldBytes > heldMore)
    said.push(`holds ${megabytes(end.heldBytes - endBeside.heldBytes)} more than the host beside it`);
  if (grew > growth)
    said.push(`grew by ${megabytes(grew)} more than the host beside it from half-time to the end`);
  const [own, beside] = p99s(windows);
  if (!(own <= Math.max(...beside) * p99Ratio))
    said.push(`p99 ${own.toFixed(2)} ms, beside it ${inMs(beside)}`);
  return said;
}

/** Of the host and of each beside it: the median of all windows. Milliseconds. */
function p99s(windows: readonly Window[]): readonly [own: number, beside: readonly number[]] {
  const beside = windows[0]?.besideMs ?? [];
  const own = median(windows.map(({ p99Ms }) => p99Ms));
  return [own, beside.map((_, nth) => median(windows.map(({ besideMs }) => besideMs[nth] ?? Number.NaN)))];
}

function inMs(values: readonly number[]): string {
  return `${values.map((value) => value.toFixed(2)).join(' and ')} ms`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

function report(name: string, { requests, stored, lost, windows, memory }: Outcome): string {
  const [own, beside] = p99s(windows);
  const { half, end, halfBeside, endBeside } = memory;
  const held = `${megabytes(half.heldBytes - halfBeside.heldBytes)} more held at half-time, ${megabytes(end.heldBytes - endBeside.heldBytes)} at the end`;
  return `${name}: ${requests} requests, ${stored} stored, ${lost} told as lost; p99 ${own.toFixed(2)} ms, beside it ${inMs(beside)} (${windows.length} windows); ${held}\n`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function passes(fault: Fault): Promise<boolean> {
  let said: string[];
  try {
    const outcome = await tryFault(fault, load);
    process.stdout.write(report(fault.name, outcome));
    said = complaints(outcome);
  } catch (error) {
    said = [error instanceof Error ? error.message : String(error)];
  }
  for (const complaint of said) process.stdout.write(`  FAILED ${fault.name}: ${complaint}\n`);
  return said.length === 0;
}

let [passed, failed] = [0, 0];
for (const fault of faults) {
  if (values.only !== undefined && fault.name !== values.only) continue;
  if (await passes(fault)) passed++;
  else failed++;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
