import { setTimeout as sleep } from 'node:timers/promises';
import { calibrationMs } from '../lib/calibration.ts';
import { type ServerProcess, startServerProcess } from '../lib/server-process.ts';
import { compareTraces, readFolder } from '../lib/stored-traces.ts';
import { STEPS_PER_TRACE } from '../lib/trace-generator.ts';
import { type Batch, createSender, makeBatches } from './senders.ts';

const TRACES_PER_BATCH = 25;
const CONNECTIONS = 16;
const WARM_UP_BATCHES = 40;
/** CPU time up to this long after the last response counts as ingest, because the server still merges data in the background. */
const SETTLE_MS = 2000;
const HALF_RATE_SECONDS = 8;
const COMPARED = 40;

export interface Round {
  readonly stepsPerCoreSecond: number;
  readonly stepsPerSecond: number;
  readonly p99Ms: number;
  /** Duration of the calibration loop, a fixed amount of work, during the round. */
  readonly calibrationMs: number;
  readonly bytesPerStep: number;
}

export async function runRound(options: { readonly seed: number; readonly batches: number }): Promise<Round> {
  const { batches, sampled } = makeBatches({
    seed: options.seed,
    batches: options.batches,
    traces: TRACES_PER_BATCH,
    keep: COMPARED,
  });
  const server = await startServerProcess(process.env.BENCH_NODE_ARGS?.split(' ') ?? []);
  try {
    const full = await atFullSpeed(server, batches);
    const half = await atHalfSpeed(server, full.stepsPerSecond / 2, options.seed);
    await compareTraces(server, sampled);
    await server.stop();
    const stored = await readFolder(server.dataDir);
    const acknowledged = [...batches, ...half.batches].flatMap(({ ids }) => ids);
    const missing = acknowledged.filter((id) => !stored.ids.has(id)).length;
    if (
      missing > 0 ||
      stored.rows !== acknowledged.length ||
      stored.steps !== acknowledged.length * STEPS_PER_TRACE
    ) {
      throw new Error(
        `${acknowledged.length} traces were acknowledged; ${stored.rows} are stored with ${stored.steps} steps, ${missing} are missing`,
      );
    }
    return {
      ...full,
      p99Ms: half.p99Ms,
      calibrationMs: half.calibrationMs,
      bytesPerStep: stored.bytes / stored.steps,
    };
  } finally {
    await server.removeFolder();
  }
}

async function atFullSpeed(server: ServerProcess, batches: readonly Batch[]) {
  const sender = createSender(server, CONNECTIONS);
  await sendAll(sender, batches.slice(0, WARM_UP_BATCHES));
  const cpuBefore = server.cpuSeconds();
  const startMs = performance.now();
  const counted = batches.slice(WARM_UP_BATCHES);
  await sendAll(sender, counted);
  const seconds = (performance.now() - startMs) / 1000;
  await sleep(SETTLE_MS);
  const cpuSeconds = server.cpuSeconds() - cpuBefore;
  sender.close();
  const steps = counted.length * TRACES_PER_BATCH * STEPS_PER_TRACE;
  return { stepsPerCoreSecond: steps / cpuSeconds, stepsPerSecond: steps / seconds };
}

async function sendAll(sender: ReturnType<typeof createSender>, batches: readonly Batch[]): Promise<void> {
  const queue = [...batches];
  const sendNext = async (): Promise<void> => {
    for (let batch = queue.pop(); batch !== undefined; batch = queue.pop()) {
      const { status, accepted } = await sender.send(batch);
      if (status !== 200 || accepted !== batch.ids.length)
        throw new Error(`a batch was answered ${status}, ${accepted} accepted`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
}

async function atHalfSpeed(server: ServerProcess, stepsPerSecond: number, seed: number) {
  const perSecond = stepsPerSecond / (TRACES_PER_BATCH * STEPS_PER_TRACE);
  const { batches } = makeBatches({
    seed: seed + 1000,
    batches: Math.max(10, Math.round(perSecond * HALF_RATE_SECONDS)),
    traces: TRACES_PER_BATCH,
    keep: 1,
  });
  const sender = createSender(server, 64);
  const startMs = performance.now();
  const answers = await Promise.all(
    batches.map(async (batch, index) => {
      await sleep(Math.max(0, startMs + (index * 1000) / perSecond - performance.now()));
      return sender.send(batch);
    }),
  );
  sender.close();
  if (answers.some(({ status }) => status !== 200)) throw new Error('a batch at half speed was refused');
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return { batches, p99Ms: times[Math.ceil(times.length * 0.99) - 1] ?? 0, calibrationMs: calibrationMs() };
}
