import autocannon from 'autocannon';
import type { Arrived } from './arrived.ts';
import type { BenchCollector } from './collector.ts';
import type { Fixture, Mode, Outlet } from './modes.ts';
import { BenchServer } from './server.ts';

const connections = 20;
/**
 * Number of requests of the warm-up. The warm-up lasts until the JIT compiler has finished, because the compiler's threads count as CPU
 * time of the process: after 25,000 requests, a request costs half as much as after 10,000.
 */
const warmUp = 30_000;
const patienceMs = 15_000;

/** The measurements of one server process during one load. */
export interface Measured {
  /** CPU time of the server process per request, user and system, including the tracer's background work. */
  readonly cpuMicros: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  readonly rssBytes: number;
  /** Share of the requests that the tracer delivered. */
  readonly seen: number;
}

/**
 * Starts the fixture in a fresh process and warms it up. Measures `usualRequests` requests, or the share of them that the mode sets, until
 * all of their data is sent, and checks that the data arrived.
 */
export async function measure(
  fixture: Fixture,
  mode: Mode,
  collector: BenchCollector,
  outlet: Outlet,
  usualRequests: number,
  nodeFlags: readonly string[] = [],
): Promise<Measured> {
  const server = new BenchServer(fixture, mode, outlet, nodeFlags);
  const share = mode.load ?? 1;
  const requests = Math.round(usualRequests * share);
  try {
    const port = await server.port();
    await warm(fixture, port, share);
    await settle(collector);
    collector.take();
    const before = await server.usage('reset');
    const result = await run(fixture, port, requests);
    await settle(collector);
    const after = await server.usage();
    return {
      seen: check(fixture, mode, collector.take(), requests),
      cpuMicros: (after.cpuMicros - before.cpuMicros) / requests,
      requestsPerSecond: result.perSecond,
      p99Ms: result.p99Ms,
      rssBytes: after.rssBytes,
    };
  } finally {
    await server.stop();
  }
}

/**
 * Warms a server up until its cost per request is stable. `share` reduces the number of requests for modes in which a request costs many
 * times as much.
 */
export async function warm(fixture: Fixture, port: number, share = 1): Promise<void> {
  await run(fixture, port, Math.round(warmUp * share));
}

interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
}

async function run(fixture: Fixture, port: number, amount: number): Promise<Load> {
  const { path, ...request } = fixture.request;
  const startedMs = performance.now();
  let answeredMs = startedMs;
  const running = autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    amount,
    ...request,
    headers: { ...('body' in request && { 'content-type': 'application/json' }), ...request.headers },
  });
  // Notes the time of the last response, because autocannon computes its rate from whole seconds, and a load lasts only a few seconds.
  running.on('response', () => {
    answeredMs = performance.now();
  });
  const result = await running;
  if (result['2xx'] !== amount || result.errors > 0) {
    throw new Error(`${fixture.name}: ${result['2xx']} of ${amount} requests were answered well`);
  }
  return { perSecond: (amount / (answeredMs - startedMs)) * 1000, p99Ms: result.latency.p99 };
}

/** Waits until nothing has arrived for a second, so that a tracer's work after the load is counted, too. */
async function settle(collector: BenchCollector): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let amount = -1; amount !== collector.amount && performance.now() < until; ) {
    amount = collector.amount;
    await new Promise((wait) => setTimeout(wait, 1000));
  }
}

/** Returns the share of the requests that arrived. Throws unless the data that the mode requires arrived. */
function check(fixture: Fixture, mode: Mode, arrived: Arrived, requests: number): number {
  const seen = arrived.requests / requests;
  if (mode.sends === 'what it can') return seen;
  const calls = requests * fixture.calls;
  const right =
    seen === (mode.sends === 'nothing' ? 0 : 1) &&
    (!['steps', 'values'].includes(mode.sends) || arrived.steps >= calls) &&
    (mode.sends !== 'values' || arrived.withValues >= calls);
  if (!right)
    throw new Error(`${fixture.name}, ${mode.name}: of ${requests} requests came ${JSON.stringify(arrived)}`);
  return seen;
}
