import autocannon from 'autocannon';
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
    const load = (duration: number) =>
      autocannon({
        url,
        connections: 20,
        duration,
        overallRate: 1000,
        headers: { 'content-type': 'application/json' },
        ...request,
      });
    await load(2);
    await server.usage('reset');
    const { errors } = await load(seconds);
    if (errors > 0) throw new Error(`${errors} requests failed`);
    return (await server.usage()).delayP99Ms;
  } finally {
    await server.stop();
  }
}
