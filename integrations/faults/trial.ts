import { Collector, storeAll } from '@throughline/testkit/collector';
import type { Fault } from './faults.ts';
import { Host, type Memory } from './host.ts';
import { Tally } from './tally.ts';

export interface Load {
  readonly seconds: number;
  /** Requests a second, evenly. */
  readonly rate: number;
  /** How much each has to show: see {@link Host}. */
  readonly rows: number;
}

export interface Outcome {
  readonly requests: number;
  readonly stored: number;
  readonly lost: number;
  /** Of the host whose collector was at fault, and of one beside it whose collector was well, half-way and at the end of the fault. */
  readonly memory: Readonly<Record<'half' | 'end' | 'halfBeside' | 'endBeside', Memory>>;
  /** Of all requests during the fault. Milliseconds. */
  readonly p99Ms: number;
  readonly p99BesideMs: number;
  readonly stderr: string;
}

/**
 * Loads a host while its collector is at fault, and one beside it, request by request, whose collector is well; then lets the fault be over, and waits until
 * all traces are accounted for, stored or told as lost. Throws where that never comes, or an answer of a host is wrong.
 */
export async function tryFault(fault: Fault, load: Load): Promise<Outcome> {
  const [collector, well] = [new Collector(fault.reply), new Collector()];
  const tally = new Tally();
  const address = await collector.start();
  const host = new Host(address, load.rows);
  const beside = new Host(await well.start(), load.rows);
  try {
    if (fault.reply === undefined) await collector.stop();
    await Promise.all([host.ready(), beside.ready()]);
    const keep = setInterval(() => {
      tally.add(collector.received);
      well.take();
    }, 1000);
    const times = { host: [] as number[], beside: [] as number[] };
    const part = async () => {
      await evenly(load, async () => {
        const [one, other] = await Promise.all([host.request(), beside.request()]);
        times.host.push(one);
        times.beside.push(other);
      });
      return Promise.all([host.memory(), beside.memory()]);
    };
    const [half, halfBeside] = await part();
    const [end, endBeside] = await part();
    collector.reply = storeAll;
    if (fault.reply === undefined) await collector.start(Number(new URL(address).port));
    await recovered(host, collector, tally, fault.recoversInMs);
    clearInterval(keep);
    return {
      requests: host.answered,
      stored: tally.stored,
      lost: tally.lost,
      memory: { half, end, halfBeside, endBeside },
      p99Ms: percentile(times.host, 0.99),
      p99BesideMs: percentile(times.beside, 0.99),
      stderr: host.stderr,
    };
  } finally {
    await Promise.all([host.stop(), beside.stop()]);
    await Promise.all([collector.stop(), well.stop()].map((stopped) => stopped.catch(() => {})));
  }
}

/** Half of a load: begins its requests at even distances, whatever the others take. */
async function evenly({ seconds, rate }: Load, request: () => Promise<void>): Promise<void> {
  const count = (seconds * rate) / 2;
  const started = performance.now();
  const open: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const wait = started + (index * 1000) / rate - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    open.push(request());
    // What was answered is let go; the first that failed ends the load.
    if (open.length >= rate) await Promise.all(open.splice(0));
  }
  await Promise.all(open);
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
