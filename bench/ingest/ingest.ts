/**
 * bench:ingest: measures the number of steps that the server ingests durably per second and core of its CPU time.
 *
 * Recipe. Each round starts the real server (embedded stores, RATE_LIMITS=off) in a fresh process on an empty folder, warms it up, and
 * sends gzipped batches of 25 generated traces (20 steps, 32 kB of JSON each) over 16 connections. Each connection sends its next batch
 * when the last batch was acknowledged. The server's CPU time (user and system, of all threads, with background merges and the two seconds
 * after the last response) is read from /proc; the senders run in another process and are not counted. Then batches are sent at half the
 * rate that this load reached, over 64 connections, to measure the p99 of the acknowledgement times. These times include the wait for a
 * free connection. Then the folder's size is measured, every acknowledged trace is looked up, and a sample is compared value by value: a
 * round with a missing trace fails.
 *
 * Each round is followed by a round with small OpenTelemetry spans in protobuf (20 per trace, eight attributes each) and a server of its
 * own. The behaviour under overload is measured once. In seven more rounds, each with its own server, a project sends two traces every 150
 * ms: first alone, then while another project floods the server.
 *
 * If Go can build them, two other receivers get the same spans, in turn with this server: an OpenTelemetry Collector that writes a file,
 * and Jaeger v2 with its badger store. Each receiver is killed during a load, and the spans that it acknowledged are looked up. `--quick`
 * measures the receivers once, and only receivers that are already built.
 *
 *   npm run bench:ingest [-- --quick] [-- --json FILE]
 */
import { figure, report } from '../lib/figures.ts';
import { bitsPerStep, generateTraces } from '../lib/trace-generator.ts';
import { percentile } from '../soak/watch.ts';
import { runFairness } from './fairness.ts';
import { runOtlpRound } from './otlp-round.ts';
import { runOverload } from './overload.ts';
import { runPeers } from './peers.ts';
import { runRound } from './round.ts';

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const rounds = quick ? 3 : 7;

const sample = generateTraces(1, Date.now);
const entropy = bitsPerStep(Array.from({ length: 500 }, () => sample.next().value));

const measured = [];
const otlp = [];
for (let round = 0; round < rounds; round += 1) {
  const result = await runRound({ seed: round + 1, batches: quick ? 300 : 600 });
  measured.push(result);
  process.stdout.write(
    `round ${round + 1}: ${Math.round(result.stepsPerCoreSecond)} steps/s a core, ${Math.round(result.stepsPerSecond)} steps/s, p99 ${Math.round(result.p99Ms)} ms, ${result.bytesPerStep.toFixed(1)} bytes/step\n`,
  );
  const spans = await runOtlpRound({ batches: quick ? 150 : 300 });
  otlp.push(spans.spansPerCoreSecond);
  process.stdout.write(
    `         ${Math.round(spans.spansPerCoreSecond)} OTLP spans/s a core, ${Math.round(spans.spansPerSecond)} spans/s\n`,
  );
}
const peers = await runPeers({ rounds: quick ? 1 : 7, mayBuild: !quick });
const overload = await runOverload({ seconds: quick ? 10 : 30 });
const fairness: Awaited<ReturnType<typeof runFairness>>[] = [];
for (let round = 0; round < (quick ? 1 : rounds); round += 1) {
  const result = await runFairness({ seconds: quick ? 6 : 10 });
  fairness.push(result);
  const { alone, beside, refused } = result;
  process.stdout.write(
    `flood ${round + 1}: another one waits ${ms(beside, 0.5)} ms at the median and ${ms(beside, 0.95)} at p95, without it ${ms(alone, 0.5)} and ${ms(alone, 0.95)}; the one that floods was told to wait ${refused} times\n`,
  );
}

type Waited = (typeof fairness)[number]['alone'];

function ms({ ms: times }: Waited, share: number): number {
  return Math.round(percentile(times, share));
}

/**
 * Returns, for each round, a percentile of a small project's acknowledgement times during a flood, divided by the same percentile without a
 * flood. `share` selects the percentile.
 */
function longer(share: number): number[] {
  return fairness.map(({ alone, beside }) => percentile(beside.ms, share) / percentile(alone.ms, share));
}

await report(
  'ingest',
  [
    figure(
      'native, with values: steps a second on a core of server CPU',
      'steps/s',
      measured.map((round) => round.stepsPerCoreSecond),
      '>= 20000',
    ),
    figure(
      'native, with values: steps a second',
      'steps/s',
      measured.map((round) => round.stepsPerSecond),
    ),
    figure('OTLP protobuf: spans a second on a core of server CPU', 'spans/s', otlp, '>= 30000'),
    figure(
      'acknowledgement p99 at half of that',
      'ms',
      measured.map((round) => round.p99Ms),
      '<= 500',
    ),
    figure(
      'acknowledgement p99 at half of that, by a fixed loop beside it',
      'ratio',
      measured.map((round) => round.p99Ms / round.calibrationMs),
    ),
    figure('server memory, sustained overload', 'MB', [overload.peakMemoryBytes / 1e6], '<= 1500'),
    figure('sustained overload: acknowledged traces that are missing', 'traces', [overload.lost], '<= 0'),
    figure('sustained overload: batches told to wait', 'batches', [overload.refused]),
    figure(
      'sustained overload: refusals without Retry-After',
      'batches',
      [overload.withoutRetryAfter],
      '<= 0',
    ),
    figure(
      "one project's flood: another one's acknowledgement, median, by what it is without",
      'ratio',
      longer(0.5),
      '<= 2',
    ),
    figure(
      "one project's flood: another one's acknowledgement, p95, by what it is without",
      'ratio',
      longer(0.95),
      '<= 2',
    ),
    figure(
      "one project's flood: batches of another one told to wait",
      'batches',
      fairness.map(({ beside }) => beside.refused),
      '<= 0',
    ),
    figure(
      'bytes on disk a step, with values',
      'bytes',
      measured.map((round) => round.bytesPerStep),
      '<= 120',
    ),
    ...peers,
    figure("entropy of a step's values", 'bits', [entropy]),
  ],
  args,
);
