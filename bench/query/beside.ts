import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, routes } from '@throughline/contract';
import { createSender, makeBatches } from '../ingest/senders.ts';
import type { Get, MeasuredCall } from './rows.ts';

interface Target {
  readonly url: string;
  readonly token: string;
  readonly apiKey: string;
  readonly projectId: string;
}

const READERS = 4;
/** Interval at which a batch of 25 traces with 20 steps each is sent: 1,000 steps a second. */
const BATCH_EVERY_MS = 500;
const BATCHES = 40;

/** Runs `work` while other clients read and write, and stops them afterwards. Fails if one of their responses is wrong. */
export async function beside<T>(
  target: Target,
  get: Get,
  calls: readonly MeasuredCall[],
  work: () => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const others = [
    write(target, done.signal),
    ...Array.from({ length: READERS }, (_reader, index) => read(get, calls, index, done.signal)),
  ];
  const beside = Promise.all(others);
  // Prevents an unhandled rejection, which would end the process and leave the server running. The failure is reported after `work`.
  beside.catch(() => {});
  try {
    return await work();
  } finally {
    done.abort();
    await beside;
  }
}

/** Reads like a user who looks around: one request, then a pause of half a second. */
async function read(
  get: Get,
  calls: readonly MeasuredCall[],
  first: number,
  done: AbortSignal,
): Promise<void> {
  for (let turn = first; !done.aborted; turn += READERS) {
    const call = calls[turn % calls.length];
    if (call === undefined) throw new Error('there is nothing to read');
    call.check(await get(call.path(turn)));
    await sleep(500);
  }
}

async function write(target: Target, done: AbortSignal): Promise<void> {
  const { batches } = makeBatches({ seed: 77, batches: BATCHES, traces: 25, keep: 1, anonymous: true });
  const sender = createSender(target, 2);
  for (let turn = 0; !done.aborted; turn += 1) {
    const batch = batches[turn % batches.length];
    if (batch === undefined) throw new Error('there is nothing to write');
    const { status } = await sender.send(batch);
    if (status !== 200) throw new Error(`a batch was answered ${status}`);
    await sleep(BATCH_EVERY_MS);
  }
  sender.close();
}

/**
 * Measures the milliseconds from the acknowledgement of a trace to its event in the live feed, for several traces in turn. A delay is 0 if
 * the event came before the acknowledgement.
 */
export async function feedDelays(target: Target, times: number): Promise<number[]> {
  const client = createClient({ baseUrl: target.url, fetch, token: () => target.token });
  const stop = new AbortController();
  const answer = await client.open(routes.traces.stream, {
    query: { projectId: target.projectId },
    signal: stop.signal,
  });
  const arrived = new Map<string, number>();
  const reading = (async () => {
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const id = /^id: (\S+)$/m.exec(event)?.[1];
        if (id !== undefined) arrived.set(id, performance.now());
      }
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  const sender = createSender(target, 1);
  const { batches } = makeBatches({ seed: 99, batches: times, traces: 1, keep: 1 });
  const delays: number[] = [];
  for (const batch of batches) {
    await sender.send(batch);
    const acceptedMs = performance.now();
    const [id = ''] = batch.ids;
    while (!arrived.has(id)) {
      if (performance.now() - acceptedMs > 10_000) throw new Error(`${id} was accepted and never shown`);
      await sleep(1);
    }
    delays.push(Math.max(0, (arrived.get(id) ?? acceptedMs) - acceptedMs));
  }
  stop.abort();
  await reading;
  sender.close();
  return delays;
}
