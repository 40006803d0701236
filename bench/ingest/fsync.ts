/**
 * bench:fsync: measures the cost of `FSYNC=on`, which flushes stored traces to disk so that they survive a power failure.
 *
 * Recipe. Rounds of bench:ingest, alternately without and with FSYNC, each with a fresh server on an empty folder. The results are the
 * ratios of each pair of rounds. They depend on how fast the disk with the temporary folder is.
 *
 *   npm run bench:fsync [-- --quick] [-- --json FILE]
 */
import { figure, report } from '../lib/figures.ts';
import { runRound } from './round.ts';

const quick = process.argv.includes('--quick');
const pairs = quick ? 3 : 7;

const rates: number[] = [];
const costs: number[] = [];
const waits: number[] = [];
for (let pair = 0; pair < pairs; pair += 1) {
  const options = { seed: pair + 1, batches: quick ? 160 : 600 };
  process.env.FSYNC = 'off';
  const off = await runRound(options);
  process.env.FSYNC = 'on';
  const on = await runRound(options);
  rates.push(on.stepsPerSecond / off.stepsPerSecond);
  costs.push(off.stepsPerCoreSecond / on.stepsPerCoreSecond);
  waits.push(on.p99Ms / off.p99Ms);
  process.stdout.write(
    `pair ${pair + 1}: ${Math.round(off.stepsPerSecond)} steps/s without, ${Math.round(on.stepsPerSecond)} with; p99 at half of that ${Math.round(off.p99Ms)} and ${Math.round(on.p99Ms)} ms\n`,
  );
}

await report(
  'fsync',
  [
    figure('steps a second, with / without', 'ratio', rates),
    figure('server CPU a step, with / without', 'ratio', costs),
    figure('acknowledgement p99 at half speed, with / without', 'ratio', waits),
  ],
  process.argv.slice(2),
);
