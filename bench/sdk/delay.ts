import type { BenchCollector } from './collector.ts';
import { sendEvenly } from './even-load.ts';
import { fixtures, type Mode, modes, type Outlet } from './modes.ts';
import { warm } from './round.ts';
import { BenchServer } from './server.ts';

const seconds = 5;

/** Returns the milliseconds that recording everything adds to the p99 delay of the event loop, at 1,000 requests a second. */
export async function addedDelay(collector: BenchCollector, outlet: Outlet): Promise<number> {
  const plain = await delayP99(modes.none, outlet);
  const traced = await delayP99(modes.all, outlet);
  collector.take();
  return traced - plain;
}

async function delayP99(mode: Mode, outlet: Outlet): Promise<number> {
  const { orders } = fixtures;
  const server = new BenchServer(orders, mode, outlet);
  try {
    const { path, ...request } = orders.request;
    const port = await server.port();
    const url = `http://127.0.0.1:${port}${path}`;
    const headers = { 'content-type': 'application/json' };
    const load = (duration: number) =>
      sendEvenly({ url, headers, ...request, perSecond: 1000, seconds: duration });
    await warm(orders, port);
    await load(1);
    await server.usage('reset');
    await load(seconds);
    return (await server.usage()).delayP99Ms;
  } finally {
    await server.stop();
  }
}
