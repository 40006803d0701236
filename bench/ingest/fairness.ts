import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, routes } from '@throughline/contract';
import { startServerProcess } from '../lib/server-process.ts';
import { type Batch, createSender, makeBatches } from './senders.ts';

const FLOODING_SENDERS = 48;
const FLOODING_TRACES = 100;
const SMALL_TRACES = 2;
const EVERY_MS = 150;
/** Time after which the flooding senders send a rejected batch again: an eighth of the delay that the server asks for. */
const COMES_AGAIN_MS = 250;

/**
 * Measures the acknowledgement times of a small project, in ascending order: alone, and while another project floods the server. Also
 * counts the rejected batches of both projects.
 */
export async function runFairness(options: { readonly seconds: number }) {
  const server = await startServerProcess();
  try {
    const flooding = createSender(server, FLOODING_SENDERS);
    const small = createSender({ url: server.url, apiKey: await anotherKey(server) }, 64);
    const own = { keep: 1, anonymous: true } as const;
    const { batches: large } = makeBatches({ seed: 7, batches: 30, traces: FLOODING_TRACES, ...own });
    const { batches: few } = makeBatches({ seed: 8, batches: 20, traces: SMALL_TRACES, ...own });
    await measureTimes(small, few, 2);
    const alone = await measureTimes(small, few, options.seconds);
    let flood = true;
    let refused = 0;
    const floods = Array.from({ length: FLOODING_SENDERS }, async (_sender, first) => {
      for (let index = first; flood; index += FLOODING_SENDERS) {
        const batch = large[index % large.length];
        if (batch === undefined) return;
        const { status } = await flooding.send(batch);
        if (status === 503) {
          refused += 1;
          await sleep(COMES_AGAIN_MS);
        } else if (status !== 200) throw new Error(`the flooding project was answered ${status}`);
      }
    });
    await sleep(2000);
    const beside = await measureTimes(small, few, options.seconds);
    flood = false;
    await Promise.all(floods);
    flooding.close();
    small.close();
    await server.stop();
    return { alone, beside, refused };
  } finally {
    await server.removeFolder();
  }
}

/** Sends batches at fixed intervals, without waiting for earlier responses. */
async function measureTimes(
  sender: ReturnType<typeof createSender>,
  batches: readonly Batch[],
  seconds: number,
): Promise<{ readonly ms: readonly number[]; readonly refused: number }> {
  const count = Math.round((seconds * 1000) / EVERY_MS);
  const answers = await Promise.all(
    Array.from({ length: count }, async (_send, index) => {
      await sleep(index * EVERY_MS);
      const batch = batches[index % batches.length];
      if (batch === undefined) throw new Error('there is no batch to send');
      return sender.send(batch);
    }),
  );
  return {
    ms: answers.map(({ ms }) => ms).sort((a, b) => a - b),
    refused: answers.filter(({ status }) => status !== 200).length,
  };
}

async function anotherKey(server: { readonly url: string; readonly token: string }): Promise<string> {
  const owner = createClient({ baseUrl: server.url, fetch, token: () => server.token });
  const { project } = await owner.call(routes.projects.create, { body: { name: 'small' } });
  const { apiKey } = await owner.call(routes.projects.apiKey, { params: { id: project.id } });
  return apiKey;
}
