import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { TraceCounts } from './faulty-collector.ts';
import type { Answer, Order } from './serve-collector.ts';

/** Lower priority than the measured processes, so that the collector's work does not slow the hosts. */
const PRIORITY = 15;

/** A {@link FaultyCollector} in its own process, so that unpacking and counting do not delay the measured requests. */
export class CollectorProcess {
  readonly #child = fork(`${import.meta.dirname}/serve-collector.ts`);
  #answered: Promise<unknown> = Promise.resolve();

  constructor() {
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, PRIORITY);
  }

  async start(): Promise<string> {
    return (await this.#order({ what: 'start' })).url;
  }

  async begin(fault: string): Promise<void> {
    await this.#order({ what: 'begin', fault });
  }

  async end(): Promise<void> {
    await this.#order({ what: 'end' });
  }

  async counts(): Promise<TraceCounts> {
    return (await this.#order({ what: 'tell' })).counts;
  }

  stop(): void {
    this.#child.disconnect();
  }

  /** Orders are sent one at a time, so that each response belongs to the previous order. */
  #order(order: Order): Promise<Answer> {
    const answer = this.#answered.then(() => this.#send(order));
    this.#answered = answer.catch(() => {});
    return answer;
  }

  #send(order: Order): Promise<Answer> {
    return new Promise((done, fail) => {
      const ended = () => fail(new Error('the collector has ended'));
      this.#child.once('exit', ended);
      this.#child.once('message', (message) => {
        this.#child.off('exit', ended);
        const answer: Answer = JSON.parse(String(message));
        done(answer);
      });
      this.#child.send(JSON.stringify(order));
    });
  }
}
