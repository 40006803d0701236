import { reportDetail, runGuarded } from '../../internal/report.ts';
import { releaseBody } from '../queue/batch.ts';
import type { Answer } from './outcome.ts';
import { buildHeaders, Connections, type Target } from './post.ts';
import { PostThread } from './thread/post-thread.ts';

/**
 * Sends bodies to the server: from this thread, whose connections are opened when they are first needed, or, after {@link startThread},
 * from a separate thread.
 */
export class Transport {
  readonly #target: Target;
  readonly #connections: Connections;
  #thread: PostThread | undefined;
  /**
   * True if only the current thread can send: no separate thread could be started, or the separate thread has ended or has never reached
   * the server. The current thread may still reach the server, for example through the host's proxy.
   */
  #isAlone = false;
  #threadWorks = false;

  constructor(target: Target) {
    this.#target = target;
    this.#connections = new Connections(target);
  }

  get hasThread(): boolean {
    return this.#thread !== undefined;
  }

  /**
   * Posts a body, whose memory is reused afterwards. `done` is called once, usually after this method has returned. The response of a
   * separate thread can also arrive within `poll`. If that thread has ended unexpectedly, `done` is called within this method.
   */
  post(key: string | undefined, body: Buffer<ArrayBuffer>, done: (answer: Answer) => void): void {
    const thread = this.#thread;
    if (thread === undefined) {
      this.#connections.post(buildHeaders(this.#target, key), body, (answer) => {
        // An error here would become an unhandled rejection in the host.
        runGuarded('Sending', () => {
          releaseBody(body);
          done(answer);
        });
      });
      return;
    }
    thread.post(buildHeaders(this.#target, key), body, (answer, memory) => {
      if (memory !== undefined) releaseBody(memory);
      this.#judgeThread(thread, answer);
      done(answer);
    });
  }

  /** Posts all further bodies from a thread, if one can be started. */
  startThread(): void {
    if (this.#isAlone || this.#thread !== undefined) return;
    try {
      this.#thread = new PostThread(this.#target);
      reportDetail('the event loop is busy: traces are sent from a thread of their own');
    } catch (error) {
      this.#isAlone = true;
      reportDetail(`traces are sent from the busy event loop, no thread can be started: ${String(error)}`);
    }
  }

  /** Reads the responses that have arrived from the thread, without waiting for a turn of the event loop. */
  poll(): void {
    this.#thread?.poll();
  }

  /** Blocks this thread until the responses have arrived from the other thread, for at most `timeoutMs`. */
  waitForAnswers(timeoutMs: number): void {
    this.#thread?.waitForAnswers(timeoutMs);
  }

  close(): void {
    this.#connections.close();
    this.#thread?.close();
    this.#thread = undefined;
  }

  #judgeThread(thread: PostThread, { status }: Answer): void {
    if (status !== 0) this.#threadWorks = true;
    const isOfNoUse = thread.hasEnded || (status === 0 && !this.#threadWorks);
    if (!isOfNoUse || this.#thread !== thread) return;
    this.#isAlone = true;
    this.#thread = undefined;
    thread.close();
  }
}
