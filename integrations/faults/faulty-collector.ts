import { Collector, storeAll } from '@throughline/testkit/collector';
import type { Fault } from './faults.ts';
import { Tally } from './tally.ts';

/** Numbers of one host's traces, as the collector counted them. */
export interface TraceCounts {
  readonly stored: number;
  readonly lost: number;
  /** Number of requests that reached the collector during the fault. */
  readonly posts: number;
  /** Number of requests during the fault that arrived more than {@link READ_MS} after the collector's first response. */
  readonly latePosts: number;
}

/** Time within which a host has certainly read a response, also on a busy machine. */
const READ_MS = 1000;

/** A collector that a trial can make faulty. Counts the traces that it stored, and the traces that the SDK reported as lost. */
export class FaultyCollector {
  readonly #collector = new Collector();
  readonly #tally = new Tally();
  #fault: Fault | undefined;
  #posts = 0;
  #latePosts = 0;
  #lateAt = Infinity;
  #keep: NodeJS.Timeout | undefined;

  async start(): Promise<string> {
    const url = await this.#collector.start();
    this.#keep = setInterval(() => this.#count(), 1000);
    return url;
  }

  async begin(fault: Fault): Promise<void> {
    this.#count();
    this.#fault = fault;
    const { reply } = fault;
    if (reply === undefined) return this.#collector.stop();
    this.#collector.reply = (response, ...received) => {
      this.#posts++;
      if (performance.now() > this.#lateAt) this.#latePosts++;
      response.once('finish', () => {
        this.#lateAt = Math.min(this.#lateAt, performance.now() + READ_MS);
      });
      reply(response, ...received);
    };
  }

  async end(): Promise<void> {
    this.#count();
    const isDown = this.#fault !== undefined && this.#fault.reply === undefined;
    this.#fault = undefined;
    this.#collector.reply = storeAll;
    if (isDown) await this.#collector.start(Number(new URL(this.#collector.url).port));
  }

  get counts(): TraceCounts {
    this.#count();
    const { stored, lost } = this.#tally;
    return { stored, lost, posts: this.#posts, latePosts: this.#latePosts };
  }

  async stop(): Promise<void> {
    clearInterval(this.#keep);
    // A fault may already have stopped the collector. Stopping it again would fail.
    await this.#collector.stop().catch(() => {});
  }

  /** Counts received traces as stored. During a fault without `stores`, discards them instead, whatever the collector responded. */
  #count(): void {
    if (this.#fault === undefined || this.#fault.stores === true) this.#tally.add(this.#collector.received);
    else this.#collector.take();
  }
}
