import { CollectorProcess } from './collector-process.ts';
import { type Fault, isRefusal } from './faults.ts';
import type { TraceCounts } from './faulty-collector.ts';
import { Host, type Memory } from './host.ts';
import { ask } from './load.ts';
import type { Block } from './statistics.ts';
import { allAccountedFor, type Load } from './trial.ts';

/**
 * The measurements of one turn, in which one of two hosts has a faulty collector. A turn lasts until all pending traces were sent or
 * dropped.
 */
interface Turn {
  /** Durations of requests, in one block per ten seconds. In a block, the durations of the host with the faulty collector come first. */
  readonly blocks: readonly Block[];
  /** Memory of the host with the faulty collector, halfway and at the end of the fault, and of the other host at the end. */
  readonly memory: { readonly half: Memory; readonly end: Memory; readonly beside: Memory };
  /** CPU time per request of each host, in milliseconds. */
  readonly cpuMs: { readonly own: number; readonly beside: number };
  /** Seconds from the end of the fault until each earlier request was stored or reported as lost. */
  readonly clearedAfter: number;
}

export interface Outcome {
  readonly requests: number;
  readonly stored: number;
  readonly lost: number;
  readonly turns: readonly Turn[];
  /**
   * Bytes by which a host's memory grew from before its first turn to after its last turn; no fault is active at either time. Of the two
   * hosts, the larger growth counts.
   */
  readonly grew: number;
}

interface Side {
  readonly host: Host;
  readonly collector: CollectorProcess;
}

const WARM_UP_SECONDS = 20;
const BLOCK_SECONDS = 10;
/**
 * After a rejection, the SDK retries in five minutes. The fault must end before the retry, because a failed retry would cost five more
 * minutes.
 */
const BEFORE_TRIED_AGAIN_SECONDS = 290;
/** After a fault, both hosts get requests for this number of seconds before each check that all traces were sent. */
const CLEARING_SECONDS = 2;

/**
 * Runs two hosts under the same load at the same time, so that other load on the machine affects requests with and without a fault alike.
 * The collectors of the two hosts are faulty in turns, for `load.seconds` in total, or less if the fault is a rejection. A turn ends when
 * each request made during the fault is stored or was reported as lost. Throws if that takes too long, or if a response is wrong.
 */
export async function alternate(fault: Fault, load: Load): Promise<Outcome> {
  const sides = await Promise.all([begin(load.rows), begin(load.rows)]);
  const hosts = sides.map(({ host }) => host);
  try {
    await Promise.all(hosts.map((host) => host.ready()));
    await ask(hosts, load.rate, WARM_UP_SECONDS);
    const atRest = await readMemory(sides);
    const turns: Turn[] = [];
    const order = orderOfTurns(fault);
    for (const faulty of order) {
      const [own, beside] = faulty === 0 ? sides : [sides[1], sides[0]];
      const part = load.seconds / order.length;
      const seconds = isRefusal(fault) ? Math.min(part, BEFORE_TRIED_AGAIN_SECONDS) : part;
      turns.push(await turn(fault, own, beside, { ...load, seconds }));
    }
    const counts = await Promise.all(sides.map((side) => settled(side, fault)));
    const afterwards = await readMemory(sides);
    return {
      requests: sum(hosts.map(({ answered }) => answered)),
      stored: sum(counts.map(({ stored }) => stored)),
      lost: sum(counts.map(({ lost }) => lost)),
      turns,
      grew: Math.max(...afterwards.map((bytes, at) => bytes - (atRest[at] ?? 0))),
    };
  } finally {
    await Promise.all(hosts.map((host) => host.stop()));
    for (const { collector } of sides) collector.stop();
  }
}

async function begin(rows: number): Promise<Side> {
  const collector = new CollectorProcess();
  return { collector, host: new Host(await collector.start(), rows) };
}

/**
 * Returns the order of the faulty hosts; the first is random. The SDK takes five minutes to recover from a rejection, so a rejection gets
 * only two turns.
 */
function orderOfTurns(fault: Fault): readonly (0 | 1)[] {
  const [one, other] = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const);
  return isRefusal(fault) ? [one, other] : [one, other, other, one];
}

async function turn(fault: Fault, own: Side, beside: Side, { rate, seconds }: Load): Promise<Turn> {
  const hosts = [own.host, beside.host];
  const blocks: Block[] = [];
  const before = await Promise.all(hosts.map((host) => host.memory()));
  const answered = own.host.answered;
  await own.collector.begin(fault.name);
  const half = async () => {
    const count = Math.max(1, Math.round(seconds / 2 / BLOCK_SECONDS));
    for (let nth = 0; nth < count; nth++) blocks.push(await block(hosts, rate, seconds / 2 / count));
    return own.host.memory();
  };
  const memory = { half: await half(), end: await half(), beside: await beside.host.memory() };
  await own.collector.end();
  const ended = performance.now();
  blocks.push(await clearing(fault, own, hosts, rate));
  const clearedAfter = (performance.now() - ended) / 1000;
  const after = await Promise.all(hosts.map((host) => host.memory()));
  const [cpu = Number.NaN, cpuBeside = Number.NaN] = after.map(
    ({ cpuMs }, at) => (cpuMs - (before[at]?.cpuMs ?? 0)) / (own.host.answered - answered),
  );
  return { blocks, memory, cpuMs: { own: cpu, beside: cpuBeside }, clearedAfter };
}

/**
 * Continues to send requests to both hosts until each request made during the fault is stored, or was reported to the collector as lost.
 */
async function clearing(fault: Fault, own: Side, hosts: readonly Host[], rate: number): Promise<Block> {
  const due = own.host.answered;
  const until = performance.now() + fault.recoversInMs;
  const all: Block = { first: [], second: [] };
  let counts: TraceCounts;
  do {
    if (performance.now() > until)
      throw new Error(`not all was sent ${fault.recoversInMs} ms after the fault`);
    const { first, second } = await block(hosts, rate, CLEARING_SECONDS);
    all.first.push(...first);
    all.second.push(...second);
    counts = await own.collector.counts();
  } while (counts.stored + counts.lost < due);
  return all;
}

async function block(hosts: readonly Host[], rate: number, seconds: number): Promise<Block> {
  const [first = [], second = []] = await ask(hosts, rate, seconds);
  return { first, second };
}

async function settled({ host, collector }: Side, fault: Fault): Promise<TraceCounts> {
  await allAccountedFor(host, () => collector.counts(), fault.recoversInMs);
  return collector.counts();
}

async function readMemory(sides: readonly Side[]): Promise<readonly number[]> {
  const held: number[] = [];
  for (const { host } of sides) held.push((await host.memory()).heldBytes);
  return held;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
