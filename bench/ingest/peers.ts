import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, figure } from '../lib/figures.ts';
import { type OtlpReceiver, type ReceiverKind, receiverKinds } from '../peers/otlp-receivers.ts';
import { makeOtlpBatches, SPANS_PER_TRACE } from './otlp-batches.ts';
import { sendAll, sendUntilGone } from './otlp-sender.ts';

const TRACES_PER_BATCH = 100;
const WARM_UP_BATCHES = 10;
const COUNTED_BATCHES = 60;
/** Number of batches of the last load. The receiver is killed when it has acknowledged half of them. */
const LAST_BATCHES = 40;
/** Time after the last response during which CPU time still counts as ingest. */
const SETTLE_MS = 2000;

interface PeerRound {
  readonly spansPerCoreSecond: number;
  readonly acknowledged: number;
  /** Number of traces that were acknowledged before the kill and are missing or incomplete. */
  readonly lost: number;
}

/**
 * Sends the same spans to this product and to other OpenTelemetry receivers in turn, each in a fresh process on an empty folder. Measures
 * the CPU time per span, and the share of acknowledged traces that are missing or incomplete after a kill -9 during the load. Skips and
 * lists receivers that are not available here.
 */
export async function runPeers(options: {
  readonly rounds: number;
  readonly mayBuild: boolean;
}): Promise<Figure[]> {
  const measured = new Map<string, PeerRound[]>();
  for (let round = 0; round < options.rounds; round += 1) {
    for (const kind of receiverKinds(options)) {
      const result = await runPeer(kind);
      if (result === undefined) continue;
      measured.set(kind.name, [...(measured.get(kind.name) ?? []), result]);
      process.stdout.write(
        `${kind.name}: ${Math.round(result.spansPerCoreSecond)} spans/s a core; after kill -9 ${result.lost} of ${result.acknowledged} acknowledged traces are not whole\n`,
      );
    }
  }
  return [...measured].flatMap(([name, rounds]) => [
    figure(
      `${name}: OTLP spans a second on a core, in the peers' rounds`,
      'spans/s',
      rounds.map(({ spansPerCoreSecond }) => spansPerCoreSecond),
    ),
    figure(
      `${name}: acknowledged traces lost by kill -9`,
      '%',
      rounds.map(({ lost, acknowledged }) => (100 * lost) / acknowledged),
    ),
  ]);
}

async function runPeer(kind: ReceiverKind): Promise<PeerRound | undefined> {
  const receiver = await kind.start();
  if ('missing' in receiver) {
    process.stdout.write(`${kind.name} is left out: ${receiver.missing}\n`);
    return undefined;
  }
  try {
    return await loadAndKill(receiver);
  } finally {
    await receiver.removeFolder();
  }
}

async function loadAndKill(receiver: OtlpReceiver): Promise<PeerRound> {
  const batches = makeOtlpBatches(WARM_UP_BATCHES + COUNTED_BATCHES + LAST_BATCHES, TRACES_PER_BATCH);
  await sendAll(receiver, batches.slice(0, WARM_UP_BATCHES));
  const cpuBefore = receiver.cpuSeconds();
  await sendAll(receiver, batches.slice(WARM_UP_BATCHES, WARM_UP_BATCHES + COUNTED_BATCHES));
  await sleep(SETTLE_MS);
  const cpuSeconds = receiver.cpuSeconds() - cpuBefore;
  const before = batches.slice(0, -LAST_BATCHES);
  let killed: Promise<void> | undefined;
  const last = await sendUntilGone(receiver, batches.slice(-LAST_BATCHES), (count) => {
    if (count >= LAST_BATCHES / 2) killed ??= receiver.kill();
  });
  await killed;
  const traceIds = [...before, ...last].flatMap((batch) => batch.traceIds);
  const counts = await receiver.countSpans(traceIds);
  return {
    spansPerCoreSecond: (COUNTED_BATCHES * TRACES_PER_BATCH * SPANS_PER_TRACE) / cpuSeconds,
    acknowledged: traceIds.length,
    lost: traceIds.filter((traceId) => counts.get(traceId) !== SPANS_PER_TRACE).length,
  };
}
