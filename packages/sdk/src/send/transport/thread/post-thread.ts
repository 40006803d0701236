import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { runGuarded } from '../../../internal/report.ts';
import { monotonicMs } from '../../../internal/timers.ts';
import type { Answer } from '../outcome.ts';
import { AGENT_OPTIONS, type Target } from '../post.ts';
import type { PostHeaders } from '../poster.ts';
import { type PostDone, type PostOrder, type ThreadData, writeThreadProgram } from './thread-program.ts';

/** Limits of the thread's heap. They can be small, because bodies are outside of the heap. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };
/** Interval in ms at which this thread checks for responses while the process is ending. */
const LOOK_MS = 2;

type Body = Buffer<ArrayBuffer>;
type Done = (answer: Answer, body: Body | undefined) => void;

const ownThreads = new WeakSet<object>();

/** True if the SDK started the worker. */
export function isPostThread(worker: object): boolean {
  return ownThreads.has(worker);
}

/**
 * Posts bodies from a separate thread, whose event loop is free however busy the host's event loop is. Never keeps the process alive.
 * Responses arrive as events, or when `poll` reads them. Once the thread has ended unexpectedly, each post fails.
 */
export class PostThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Done>();
  #nextId = 0;
  #ended = false;

  /** @throws if this process is not allowed to start threads. */
  constructor(target: Target) {
    const { port1, port2 } = new MessageChannel();
    const data: ThreadData = { url: target.url.href, agent: AGENT_OPTIONS, port: port2 };
    this.#port = port1;
    // The thread must inherit neither the host's options, which could load this SDK again, nor its output streams, which the thread would
    // initialize.
    this.#worker = new Worker(writeThreadProgram(), {
      eval: true,
      name: 'throughline',
      workerData: data,
      transferList: [port2],
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: '' },
      stdout: true,
      stderr: true,
      resourceLimits: HEAP,
    });
    ownThreads.add(this.#worker);
    this.#worker.on('error', () => this.#end());
    this.#worker.on('exit', () => this.#end());
    this.#worker.unref();
    port1.on('message', (message: PostDone) => this.#take(message));
    port1.unref();
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Posts a body. `done` is called once, and receives the body's memory if the thread has returned the memory. */
  post(headers: PostHeaders, body: Body, done: Done): void {
    if (this.#ended) {
      done(endedAnswer, body);
      return;
    }
    const id = this.#nextId++;
    this.#waiting.set(id, done);
    const order: PostOrder = { id, headers, body };
    this.#port.postMessage(order, [body.buffer]);
  }

  /** Reads the responses that have arrived, without waiting for a turn of the event loop. */
  poll(): void {
    while (this.#waiting.size > 0) {
      const next: { readonly message: PostDone } | undefined = receiveMessageOnPort(this.#port);
      if (next === undefined) return;
      this.#take(next.message);
    }
  }

  /** Blocks this thread until all responses have arrived, for at most `timeoutMs`. */
  waitForAnswers(timeoutMs: number): void {
    const until = monotonicMs() + timeoutMs;
    const sleep = new Int32Array(new SharedArrayBuffer(4));
    for (this.poll(); this.#waiting.size > 0 && monotonicMs() < until; this.poll()) {
      Atomics.wait(sleep, 0, 0, LOOK_MS);
    }
  }

  /** Ends the thread. Posts whose response has not arrived fail. */
  close(): void {
    this.#end();
    this.#worker.terminate().catch(() => {});
  }

  #take({ id, answer, body }: PostDone): void {
    const done = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (done !== undefined) runGuarded('Sending', () => done(answer, Buffer.from(body.buffer)));
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#port.close();
    for (const done of [...this.#waiting.values()]) runGuarded('Sending', () => done(endedAnswer, undefined));
    this.#waiting.clear();
  }
}

const endedAnswer: Answer = {
  status: 0,
  retryAfter: undefined,
  body: '',
  failure: 'the thread that sends traces has ended',
};
