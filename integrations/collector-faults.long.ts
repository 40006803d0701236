/**
 * Collectors at fault while hosts are at load, ten minutes each: `node --conditions=source integrations/collector-faults.long.ts [--minutes 10] [--only 503] [--rate 80]`.
 * Two hosts have their collectors at fault by turns; `none` is a trial of no fault, which shows what such a trial can tell. The hosts answer as ever, memory is flat from half-time
 * on, what was given up is counted, and all is well afterwards. The p99 of requests at fault over that of the others comes with its range: none is surely beyond 5 %, and all faults
 * together are within. On a machine that others use, wake the hosts at once (`chrt -r 1 node …`): their p99 is else that of the machine. Ends with `N passed, N failed`; the
 * exit status says the same.
 */
import { parseArgs } from 'node:util';
import { alternate, type Outcome } from './faults/alternating.ts';
import { type Fault, faults, noFault } from './faults/faults.ts';
import { p99Ratio, percentile, type Ratio } from './faults/statistics.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string' },
    rate: { type: 'string', default: '80' },
  },
});
const load = { seconds: Number(values.minutes) * 60, rate: Number(values.rate), rows: 3 } as const;

/** The most that the host at fault may hold beyond the other: 16 MB of traces, requests in progress, and the rest of garbage answers. Bytes. */
const heldMore = 40e6;
/** The most that memory may grow from half-time to the end of the fault, or from start to end of the trial. Bytes. */
const growth = 8e6;
/** The highest allowed ratio of the p99 at fault to the other host's. */
const allowed = 1.05;
/** A trial whose range is wider says nothing. */
const widest = 0.3;

function complaints({ requests, stored, lost, turns, grew }: Outcome, ratio: Ratio): string[] {
  const said: string[] = [];
  if (stored + lost !== requests) said.push(`${requests - stored - lost} traces are unaccounted for`);
  for (const { half, end, beside } of turns.map(({ memory }) => memory)) {
    if (end.heldBytes - beside.heldBytes > heldMore)
      said.push(`holds ${megabytes(end.heldBytes - beside.heldBytes)} more than the other host`);
    if (end.heldBytes - half.heldBytes > growth)
      said.push(`grew by ${megabytes(end.heldBytes - half.heldBytes)} from half-time to the end`);
  }
  if (grew > growth) said.push(`holds ${megabytes(grew)} more afterwards than before`);
  if (ratio.low > allowed) said.push(`p99 is ${percents(ratio)} of the other's`);
  if (!(ratio.high - ratio.low <= widest))
    said.push(`p99 cannot be told on this machine now: ${percents(ratio)} of the other's`);
  return said;
}

function report(name: string, { requests, stored, lost, turns, grew }: Outcome, ratio: Ratio): string {
  const blocks = turns.flatMap((turn) => turn.blocks);
  const p99 = (kind: 'first' | 'second') =>
    percentile(
      blocks.flatMap((block) => block[kind]),
      0.99,
    ).toFixed(2);
  const cpu = (kind: 'own' | 'beside') => mean(turns.map(({ cpuMs }) => cpuMs[kind])).toFixed(3);
  const held = turns.map(
    ({ memory: { half, end, beside } }) =>
      `${megabytes(half.heldBytes - beside.heldBytes)} then ${megabytes(end.heldBytes - beside.heldBytes)}`,
  );
  return [
    `${name}: ${requests} requests, ${stored} stored, ${lost} told as lost`,
    `p99 ${p99('first')} ms at fault, ${p99('second')} ms at the same time without: ${percents(ratio)}`,
    `CPU ${cpu('own')} ms a request, ${cpu('beside')} ms without`,
    `held more at half-time and at the end of each turn: ${held.join(', ')}; afterwards ${megabytes(grew)}`,
    `cleared after ${turns.map(({ clearedAfter }) => `${clearedAfter.toFixed(0)} s`).join(', ')}\n`,
  ].join('\n  ');
}

function percents({ value, low, high }: Ratio): string {
  const [said, from, to] = [value, low, high].map((part) => (part * 100).toFixed(1));
  return `${said} % (${from} to ${to}, 95 in 100)`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Ratios of all faults together: several trials show a difference that one trial cannot. */
const ratios: number[] = [];

async function passes(fault: Fault): Promise<boolean> {
  let said: string[];
  try {
    const outcome = await alternate(fault, load);
    const ratio = p99Ratio(
      outcome.turns.map(({ blocks }) => blocks),
      Math.random,
    );
    process.stdout.write(report(fault.name, outcome, ratio));
    if (fault !== noFault) ratios.push(ratio.value);
    said = complaints(outcome, ratio);
  } catch (error) {
    said = [error instanceof Error ? error.message : String(error)];
  }
  for (const complaint of said) process.stdout.write(`  FAILED ${fault.name}: ${complaint}\n`);
  return said.length === 0;
}

let [passed, failed] = [0, 0];
for (const fault of [noFault, ...faults]) {
  if (values.only !== undefined && fault.name !== values.only) continue;
  if (await passes(fault)) passed++;
  else failed++;
}
if (ratios.length > 1) {
  const together = Math.exp(mean(ratios.map(Math.log)));
  process.stdout.write(`all faults: p99 ${(together * 100).toFixed(1)} %, the geometric mean\n`);
  if (together <= allowed) passed++;
  else failed++;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
