import { sendEvenly } from './even-load.ts';
import type { BenchCollector } from './sdk-collector.ts';
import { fixtures, type Mode, modes } from './sdk-modes.ts';
import { BenchServer } from './sdk-server.ts';

const seconds = 5;

/** Each round: how much longer the event loop's p99 delay is with everything recorded than without a tracer, at 1,000 requests a second. Milliseconds. */
export async function measureDelay(
  collector: BenchCollector,
  address: string,
  rounds: number,
): Promise<number[]> {
  const added: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const plain = await delayP99(modes.none, address);
    const traced = await delayP99(modes.all, address);
    collector.take();
    added.push(traced - plain);
  }
  return added;
}

async function delayP99(mode: Mode, address: string): Promise<number> {
  const { orders } = fixtures;
  const server = new BenchServer(orders, mode, address);
  try {
    const { path, ...request } = orders.request;
    const url = `http://127.0.0.1:${await server.port()}${path}`;
    const headers = { 'content-type': 'application/json' };
    const load = (duration: number) =>
      sendEvenly({ url, headers, ...request, perSecond: 1000, seconds: duration });
    await load(2);
    await server.usage('reset');
    await load(seconds);
    return (await server.usage()).delayP99Ms;
  } finally {
    await server.stop();
  }
}
