import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type ServerProcess, startServerProcess } from '../lib/server-process.ts';
import { makeOtlpBatches, type OtlpBatch, SPANS_PER_TRACE } from './otlp-batches.ts';
import { sendAll } from './otlp-sender.ts';

const TRACES_PER_BATCH = 100;
const WARM_UP_BATCHES = 20;
const SETTLE_MS = 2000;
const COMPARED = 20;

/**
 * Starts a server and sends spans as fast as the server acknowledges them. Fails unless every trace is stored, and each trace of a sample
 * has all of its spans.
 */
export async function runOtlpRound(options: { readonly batches: number }) {
  const batches = makeOtlpBatches(options.batches, TRACES_PER_BATCH);
  const server = await startServerProcess(process.env.BENCH_NODE_ARGS?.split(' ') ?? []);
  try {
    await sendAll(server, batches.slice(0, WARM_UP_BATCHES));
    const cpuBefore = server.cpuSeconds();
    const startMs = performance.now();
    const counted = batches.slice(WARM_UP_BATCHES);
    await sendAll(server, counted);
    const seconds = (performance.now() - startMs) / 1000;
    await sleep(SETTLE_MS);
    const cpuSeconds = server.cpuSeconds() - cpuBefore;
    await compare(server, batches);
    await server.stop();
    const spans = counted.length * TRACES_PER_BATCH * SPANS_PER_TRACE;
    return { spansPerCoreSecond: spans / cpuSeconds, spansPerSecond: spans / seconds };
  } finally {
    await server.removeFolder();
  }
}

const Found = z.object({ traces: z.array(z.object({ _id: z.string(), stepCount: z.number() })) });
const Listed = z.object({ total: z.number() });
const Read = z.object({ trace: z.object({ flow: z.array(z.object({ stepId: z.string() })) }) });

async function compare(server: ServerProcess, batches: readonly OtlpBatch[]): Promise<void> {
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${server.url}/api/traces${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    if (!answer.ok) throw new Error(`reading ${path} answers ${answer.status}`);
    return answer.json();
  };
  const sent = batches.length * TRACES_PER_BATCH;
  const { total } = Listed.parse(await get(`?projectId=${server.projectId}&limit=1`));
  if (total !== sent) throw new Error(`${sent} traces were acknowledged, ${total} are there`);
  const steps = SPANS_PER_TRACE - 1;
  for (const { traceIds } of batches.slice(-COMPARED)) {
    const { traces } = Found.parse(await get(`/by-trace-id/${traceIds[0] ?? ''}`));
    const { trace } = Read.parse(await get(`/${traces[0]?._id ?? ''}`));
    if (traces.length !== 1 || traces[0]?.stepCount !== steps || trace.flow.length !== steps)
      throw new Error(
        `trace ${traceIds[0]} was acknowledged with ${steps} steps and has ${trace.flow.length}`,
      );
  }
}
