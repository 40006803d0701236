import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isTrafficReport, type TrafficOrder } from './messages.ts';

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url));

interface WaitingBurst {
  readonly resolve: (requests: number) => void;
  readonly reject: (reason: Error) => void;
}

/** Manages the process that makes traffic. The process is not traced. It starts at the first call of `keepVisiting` or `burst`. */
export class TrafficMaker {
  readonly #bursts = new Map<number, WaitingBurst>();
  #process: ChildProcess | undefined;
  #lastId = 0;

  /** Starts to simulate visitors, who send requests to the shop at this URL. */
  keepVisiting(url: string): void {
    this.#order({ type: 'keep-visiting', url });
  }

  /** Sends a number of requests immediately. Returns the number of responses. Throws if the shop is unreachable. */
  async burst(url: string, requests: number): Promise<number> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<number>((resolve, reject) => {
      this.#bursts.set(id, { resolve, reject });
      this.#order({ type: 'burst', id, url, requests });
    });
  }

  stop(): void {
    if (this.#process?.connected === true) this.#process.disconnect();
    this.#process = undefined;
  }

  #order(order: TrafficOrder): void {
    this.#process ??= this.#start();
    this.#process.send(order);
  }

  #start(): ChildProcess {
    // Starts without this process's flags, since the traffic's process must not be traced.
    const child = fork(PROCESS, [], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
    child.on('message', (message) => {
      if (!isTrafficReport(message)) return;
      const waiting = this.#bursts.get(message.id);
      this.#bursts.delete(message.id);
      if (message.type === 'burst-sent') waiting?.resolve(message.requests);
      else waiting?.reject(new Error(message.reason));
    });
    const gone = (): void => {
      if (this.#process === child) this.#process = undefined;
      for (const { reject } of this.#bursts.values()) reject(new Error('the traffic process ended'));
      this.#bursts.clear();
    };
    child.once('exit', gone);
    // Called if the child process did not start, or if a message did not reach it.
    child.on('error', gone);
    return child;
  }
}
