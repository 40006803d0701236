import { Collector, type Reply, storeAll } from '@throughline/testkit/collector';
import type { Fault } from './faults.ts';
import { Host, type Memory } from './host.ts';
import { Tally } from './tally.ts';

export interface Load {
  readonly seconds: number;
  /** Requests a second, evenly. */
  readonly rate: number;
  /** How much each has to show: see {@link Host}. */
  readonly rows: number;
  /** Hosts beside it whose collector is well: with two one sees by how much two alike differ. */
  readonly beside: 1 | 2;
}

/** What 99 in 100 requests of a window were answered within, in milliseconds. */
export interface Window {
  readonly p99Ms: number;
  /** Of each host beside it. */
  readonly besideMs: readonly number[];
}

export interface Outcome {
  readonly requests: number;
  readonly stored: number;
  readonly lost: number;
  /** Of the host whose collector was at fault, and of one beside it whose collector was well, half-way and at the end of the fault. */
  readonly memory: Readonly<Record<'half' | 'end' | 'halfBeside' | 'endBeside', Memory>>;
  readonly windows: readonly Window[];
  readonly stderr: string;
}

/** What the host did while its collector was at fault. */
interface During {
  readonly requests: number;
  readonly memory: Outcome['memory'];
  readonly windows: readonly Window[];
  /** Requests that reached the collector. */
  readonly posts: number;
  readonly stderr: string;
}

/** About so long: long enough for a p99 of its own at 100 requests a second, short enough that the machine is the same for both hosts. */
const WINDOW_SECONDS = 10;

/**
 * Loads a host while its collector is at fault, and one beside it, request by request, whose collector is well; then lets the fault be over, and waits until
 * all traces are accounted for, stored or told as lost. Throws where that never comes, or an answer of a host is wrong.
 */
export async function tryFault(fault: Fault, load: Load): Promise<Outcome> {
  return atFault(fault, load, async (during, host, collector, tally) => {
    const port = Number(new URL(collector.url).port);
    if (fault.stores !== true) collector.take();
    collector.reply = storeAll;
    if (fault.reply === undefined) await collector.start(port);
    await recovered(host, collector, tally, fault.recoversInMs);
    const { memory, windows } = during;
    const { stored, lost } = tally;
    return { requests: host.answered, stored, lost, memory, windows, stderr: host.stderr };
  });
}

/** The same without its end: for faults after which it takes the SDK minutes to try again. */
export async function whileAtFault(fault: Fault, load: Load): Promise<During> {
  return atFault(fault, load, async (during) => during);
}

async function atFault<T>(
  fault: Fault,
  load: Load,
  then: (during: During, host: Host, collector: Collector, tally: Tally) => Promise<T>,
): Promise<T> {
  let posts = 0;
  const { reply } = fault;
  const counted: Reply = (...request) => {
    posts++;
    reply?.(...request);
  };
  const [collector, well] = [new Collector(counted), new Collector()];
  const tally = new Tally();
  const address = await well.start();
  const host = new Host(await collector.start(), load.rows);
  const beside = new Host(address, load.rows);
  const hosts = [host, beside, ...(load.beside === 2 ? [new Host(address, load.rows)] : [])];
  const keep = setInterval(() => {
    if (fault.stores === true || collector.reply === storeAll) tally.add(collector.received);
    else collector.take();
    well.take();
  }, 1000);
  try {
    if (reply === undefined) await collector.stop();
    await Promise.all(hosts.map((one) => one.ready()));
    const windows: Window[] = [];
    const count = Math.max(1, Math.round(load.seconds / 2 / WINDOW_SECONDS));
    const half = async () => {
      for (let nth = 0; nth < count; nth++)
        windows.push(await window(hosts, load.rate, load.seconds / 2 / count, windows.length));
      return Promise.all([host.memory(), beside.memory()]);
    };
    const [first, firstBeside] = await half();
    const [end, endBeside] = await half();
    const memory = { half: first, end, halfBeside: firstBeside, endBeside };
    const during = { requests: host.answered, memory, windows, posts, stderr: host.stderr };
    return await then(during, host, collector, tally);
  } finally {
    clearInterval(keep);
    await Promise.all(hosts.map((one) => one.stop()));
    await Promise.all([collector.stop(), well.stop()].map((stopped) => stopped.catch(() => {})));
  }
}

/**
 * Asks the hosts in turn, each `rate` times a second, so that none waits for another; which of them goes first changes with each window. Requests begin at even
 * distances, whatever the others take.
 */
async function window(hosts: readonly Host[], rate: number, seconds: number, nth: number): Promise<Window> {
  const asked = hosts.map((host) => ({ host, times: [] as number[] }));
  const count = Math.max(1, Math.round(seconds * rate)) * hosts.length;
  const started = performance.now();
  const open: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const wait = started + (index * 1000) / rate / hosts.length - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    const one = asked[(index + nth) % hosts.length];
    if (one !== undefined) open.push(timed(one.host, one.times));
    // What was answered is let go; the first that failed ends the load.
    if (open.length >= rate) await Promise.all(open.splice(0));
  }
  await Promise.all(open);
  const [p99Ms = Number.NaN, ...besideMs] = asked.map(({ times }) => percentile(times, 0.99));
  return { p99Ms, besideMs };
}

async function timed(host: Host, times: number[]): Promise<void> {
  times.push(await host.request());
}

/** Sends a request now and then, whose trace travels with the news of what was lost, until every request is accounted for. */
async function recovered(host: Host, collector: Collector, tally: Tally, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  for (;;) {
    tally.add(collector.received);
    if (tally.stored + tally.lost === host.answered) return;
    if (performance.now() > until) {
      throw new Error(
        `of ${host.answered} requests ${tally.stored} were stored and ${tally.lost} told as lost, ${withinMs} ms after the fault`,
      );
    }
    if (tally.stored + tally.lost < host.answered) await host.request();
    await new Promise((wait) => setTimeout(wait, 700));
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
