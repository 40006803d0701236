import type { BenchCollector } from '../sdk/collector.ts';
import type { Mode, Outlet } from '../sdk/modes.ts';
import { countTraces } from './arrived-traces.ts';
import { askBusily, askEvenly } from './load.ts';
import type { Service } from './services.ts';
import { startService } from './start-service.ts';

/** After the load at the maximum rate, requests are sent at this share of that rate, evenly spaced, for `evenSeconds`. */
const evenShare = 0.8;
const evenSeconds = 5;
const patienceMs = 30_000;

export interface Bench {
  readonly collector: BenchCollector;
  readonly outlet: Outlet;
  /** Folder of the services. */
  readonly folder: string;
  /** Share of a service's usual number of requests that a round uses. */
  readonly share: number;
}

/** The measurements of one service process. */
export interface Measured {
  /** CPU time per request (user and system), including the tracer's background work. */
  readonly cpuMicros: number;
  readonly perSecond: number;
  /** Share of the requests whose traces arrived, with 20 connections at the maximum rate. */
  readonly arrived: number;
  /** Share of the requests whose traces arrived at 80 % of the maximum rate. */
  readonly arrivedEvenly: number | undefined;
  /** Size of each trace as JSON in bytes, only for our SDK. */
  readonly traceBytes: readonly number[];
  /** Number of steps that arrived. `withValues` is the number of those steps that have values. */
  readonly steps: number;
  readonly withValues: number;
}

/** Starts the service in a fresh process, warms it up, and measures its requests until all their traces are sent. */
export async function measure(
  service: Service,
  mode: Mode,
  { collector, outlet, folder, share }: Bench,
  { evenly = false, nodeFlags = [] }: { evenly?: boolean; nodeFlags?: readonly string[] } = {},
): Promise<Measured> {
  const running = await startService(service, mode, outlet, folder, nodeFlags);
  const requests = roundUp(service, share);
  try {
    await askBusily(service, running.address, requests);
    await settle(collector);
    collector.takePosts();
    const before = running.cpuMicros;
    const { answered, perSecond } = await askBusily(service, running.address, requests);
    await settle(collector);
    const cpuMicros = (running.cpuMicros - before) / answered;
    const { requests: seen, steps, withValues, traceBytes } = countTraces(collector.takePosts());
    let arrivedEvenly: number | undefined;
    if (evenly) {
      const asked = await askEvenly(service, running.address, perSecond * evenShare, evenSeconds);
      await settle(collector);
      arrivedEvenly = countTraces(collector.takePosts()).requests / asked;
    }
    return { cpuMicros, perSecond, arrived: seen / answered, arrivedEvenly, traceBytes, steps, withValues };
  } finally {
    await running.stop();
  }
}

/** Rounds the number of requests up to complete scenarios. */
function roundUp({ requests, scenario }: Service, share: number): number {
  return Math.ceil((requests * share) / scenario.length) * scenario.length;
}

/** Waits until nothing has arrived for a second, so that a tracer's work after the load is counted, too. */
async function settle(collector: BenchCollector): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let amount = -1; amount !== collector.amount && performance.now() < until; ) {
    amount = collector.amount;
    await new Promise((wait) => setTimeout(wait, 1000));
  }
}
