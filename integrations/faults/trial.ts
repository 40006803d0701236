import type { Fault } from './faults.ts';
import { FaultyCollector, type TraceCounts } from './faulty-collector.ts';
import { Host, type Memory } from './host.ts';
import { ask } from './load.ts';

export interface Load {
  readonly seconds: number;
  /** Requests per second, evenly spaced. */
  readonly rate: number;
  /** Amount of data in the trace of each request: see {@link Host}. */
  readonly rows: number;
}

/** The host's behaviour while its collector was faulty. */
interface During {
  readonly requests: number;
  /** At the end of the fault: memory of the host, and of another host whose collector worked. */
  readonly memory: { readonly own: Memory; readonly beside: Memory };
  /** Number of requests that reached the collector. */
  readonly posts: number;
  /** Number of requests that reached the collector although the SDK had already read the collector's first response. */
  readonly latePosts: number;
  readonly stderr: string;
}

interface Outcome extends During {
  readonly stored: number;
  readonly lost: number;
}

/**
 * Sends requests alternately to a host whose collector is faulty and to a host whose collector works. Then ends the fault and waits until
 * all traces are accounted for, stored or reported as lost. Throws if that takes too long, or if a host's response is wrong.
 */
export async function tryFault(fault: Fault, load: Load): Promise<Outcome> {
  return atFault(fault, load, async (during, host, collector) => {
    await collector.end();
    await allAccountedFor(host, () => collector.counts, fault.recoversInMs);
    const { stored, lost } = collector.counts;
    return { ...during, requests: host.answered, stored, lost, stderr: host.stderr };
  });
}

/** Like `tryFault`, but stops before the fault ends: for faults after which the SDK takes minutes to retry. */
export async function whileAtFault(fault: Fault, load: Load): Promise<During> {
  return atFault(fault, load, async (during) => during);
}

async function atFault<T>(
  fault: Fault,
  { rows, rate, seconds }: Load,
  then: (during: During, host: Host, collector: FaultyCollector) => Promise<T>,
): Promise<T> {
  const [collector, well] = [new FaultyCollector(), new FaultyCollector()];
  const host = new Host(await collector.start(), rows);
  const beside = new Host(await well.start(), rows);
  try {
    await collector.begin(fault);
    await Promise.all([host.ready(), beside.ready()]);
    await ask([host, beside], rate, seconds);
    const memory = { own: await host.memory(), beside: await beside.memory() };
    const { posts, latePosts } = collector.counts;
    const during = { requests: host.answered, memory, posts, latePosts, stderr: host.stderr };
    return await then(during, host, collector);
  } finally {
    await Promise.all([host.stop(), beside.stop()]);
    await Promise.all([collector.stop(), well.stop()]);
  }
}

/** Sends further requests, whose traces carry the count of lost traces, until every request is stored or reported as lost. */
export async function allAccountedFor(
  host: Host,
  counts: () => TraceCounts | Promise<TraceCounts>,
  withinMs: number,
): Promise<void> {
  const until = performance.now() + withinMs;
  for (;;) {
    const { stored, lost } = await counts();
    if (stored + lost === host.answered) return;
    if (performance.now() > until) {
      throw new Error(
        `of ${host.answered} requests ${stored} were stored and ${lost} reported as lost, ${withinMs} ms after the fault`,
      );
    }
    if (stored + lost < host.answered) await host.request();
    await new Promise((wait) => setTimeout(wait, 700));
  }
}
