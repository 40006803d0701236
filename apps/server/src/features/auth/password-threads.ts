import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../platform/http/errors.ts';
import type { PasswordResult, PasswordTask } from './password-thread.ts';

/** If the machine has several cores, one of them is left for all other work. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/**
 * The maximum number of waiting tasks: about ten seconds of work for one thread. Further tasks are refused and can be tried again later.
 */
const MAX_WAITING = 250;
const RETRY_AFTER_SECONDS = 10;

interface Waiting {
  readonly task: PasswordTask;
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

/** A thread and its current task, if any. A thread runs one task at a time. */
interface Thread {
  readonly worker: Worker;
  current: Waiting | undefined;
}

const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './password-thread.ts' : './password-thread.js',
  import.meta.url,
);

/**
 * Hashes passwords in separate threads of lower priority. In libuv's pool, which the trace store's queries share, fifty logins made each
 * query wait for fifty hashes (`npm run bench:login`). Threads start with the first password and do not keep the process alive.
 */
export class PasswordThreads {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #file: URL;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Waiting[] = [];

  constructor(
    options: { readonly threads?: number; readonly mostWaiting?: number; readonly file?: URL } = {},
  ) {
    this.#most = options.threads ?? THREADS;
    this.#mostWaiting = options.mostWaiting ?? MAX_WAITING;
    this.#file = options.file ?? THREAD;
  }

  /** Returns an argon2id hash in its standard notation. @throws AppError `overloaded` */
  async hash(password: string): Promise<string> {
    const value = await this.#run(password, undefined);
    if (typeof value !== 'string') throw new Error('the worker thread returned no password hash');
    return value;
  }

  /** Returns true if the password matches the hash. @throws AppError `overloaded` */
  async matches(password: string, hash: string): Promise<boolean> {
    return (await this.#run(password, hash)) === true;
  }

  #run(password: string, against: string | undefined): Promise<string | boolean> {
    if (this.#waiting.length >= this.#mostWaiting) {
      throw new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task: { password, against }, resolve, reject });
      this.#giveOut();
    });
  }

  /** Gives waiting tasks to free threads, and starts new threads up to the limit. */
  #giveOut(): void {
    while (this.#waiting.length > 0) {
      const idle = [...this.#threads].find((thread) => thread.current === undefined);
      const thread = idle ?? (this.#threads.size < this.#most ? this.#begin() : undefined);
      if (thread === undefined) return;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      thread.current = next;
      thread.worker.ref();
      thread.worker.postMessage(next.task);
    }
  }

  #begin(): Thread {
    const thread: Thread = { worker: new Worker(this.#file, { execArgv: [] }), current: undefined };
    thread.worker.on('message', (result: PasswordResult) => {
      const done = thread.current;
      thread.current = undefined;
      thread.worker.unref();
      if ('value' in result) done?.resolve(result.value);
      else done?.reject(new Error(`a password could not be hashed: ${result.failure}`));
      this.#giveOut();
    });
    const lost = (error: Error) => {
      this.#threads.delete(thread);
      thread.current?.reject(error);
      thread.current = undefined;
    };
    thread.worker.on('error', lost);
    thread.worker.on('exit', () => {
      lost(new Error('a password could not be hashed or checked: its worker thread ended unexpectedly'));
      this.#giveOut();
    });
    this.#threads.add(thread);
    return thread;
  }
}
