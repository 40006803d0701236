import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Told } from './faulty-collector.ts';
import type { Answer, Order } from './serve-collector.ts';

/** Lower than whatever is measured: what a collector does takes nothing from the hosts. */
const PRIORITY = 15;

/** A {@link FaultyCollector} in a process of its own, so that what it unpacks and counts does not delay the requests that are measured. */
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

  async told(): Promise<Told> {
    return (await this.#order({ what: 'tell' })).told;
  }

  stop(): void {
    this.#child.disconnect();
  }

  /** One after another: each answer belongs to the order before it. */
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
