import { startServerProcess } from '../lib/server-process.ts';
import { readFolder } from '../lib/stored-traces.ts';
import { createSender, makeBatches } from './senders.ts';

const SENDERS = 96;
const TRACES_PER_BATCH = 200;

/** Sends large batches from many senders for the given number of seconds. The senders ignore the server's requests to wait. */
export async function runOverload(options: { readonly seconds: number }) {
  const server = await startServerProcess(process.env.BENCH_NODE_ARGS?.split(' ') ?? []);
  try {
    const sender = createSender(server, SENDERS);
    let acknowledged = 0;
    let refused = 0;
    let withoutRetryAfter = 0;
    const { batches } = makeBatches({
      seed: 99,
      batches: 60,
      traces: TRACES_PER_BATCH,
      keep: 1,
      anonymous: true,
    });
    const untilMs = performance.now() + options.seconds * 1000;
    const flood = async (first: number): Promise<void> => {
      for (let index = first; performance.now() < untilMs; index += SENDERS) {
        const batch = batches[index % batches.length];
        if (batch === undefined) return;
        const { status, retryAfter } = await sender.send(batch);
        if (status === 200) {
          acknowledged += batch.ids.length;
        } else if (status === 503 || status === 429) {
          refused += 1;
          if (retryAfter === undefined) withoutRetryAfter += 1;
        } else {
          throw new Error(`an overloaded server answered ${status}`);
        }
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, (_sender, index) => flood(index)));
    sender.close();
    const peakMemoryBytes = server.peakMemoryBytes();
    await server.stop();
    const stored = await readFolder(server.dataDir);
    return { peakMemoryBytes, refused, withoutRetryAfter, lost: Math.max(0, acknowledged - stored.rows) };
  } finally {
    await server.removeFolder();
  }
}
