import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { INGEST_LIMITS } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import { FairQueue } from '../../../platform/queues/fair-queue.ts';
import { OwnerCounts } from '../../../platform/queues/owner-counts.ts';
import { limitHeapGrowth } from '../../../platform/start/heap.ts';
import { limitThreadTime } from '../../../platform/start/thread-cpu.ts';
import { isOutOfMemory } from '../../../platform/start/thread-memory.ts';
import type { Batch } from '../batch/batch.ts';
import { measureBatch } from '../batch/batch-rows.ts';
import { UnreadableBody } from '../intake/reading-failures.ts';
import { buildLimitError } from '../receive/over-limit.ts';
import { readMessage } from './batch-message.ts';
import type { FailureStacks, LargeBody, LargeBodyResult } from './protocol.ts';

/** A second thread helps only if the stores still have a free core. */
const MAX_THREADS = availableParallelism() > 3 ? 2 : 1;
/** No more bodies are read while this many bytes of rows wait to be stored. */
const MAX_WAITING_ROWS_BYTES = 48 * 1024 * 1024;
/**
 * Maximum number of a project's bodies that are waiting to be read, being read, or waiting to be stored. The limit is low because reading
 * one body can take two seconds. Further bodies must be sent again later.
 */
const MAX_BODIES_OF_PROJECT = 9;
/**
 * The longest time that a body waits to be read. OpenTelemetry exporters wait ten seconds for a response, so reading the body later would
 * be useless.
 */
const MAX_WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 2;
/** An idle thread is stopped after this time to free its memory. */
const IDLE_MS = 10_000;

/**
 * Maximum elapsed time for reading a body, as a multiple of its limit of processor time. While other programs use the processor, the
 * elapsed time grows faster than the processor time. A body that takes longer must be sent again.
 */
const MAX_SLOWDOWN = 5;

/**
 * Maximum size of the young generation of a worker thread's heap. With V8's default limit, a body of 55 MB took 250 MB more memory than
 * with this limit.
 */
const YOUNG_MB = 24;

const IS_SOURCE = import.meta.url.endsWith('.ts');
const WORKER = new URL(IS_SOURCE ? './worker.ts' : './worker.js', import.meta.url);

/** A batch that was read in a worker thread. */
export interface ReadBatch {
  readonly batch: Batch;
  readonly failures: FailureStacks;
  /** Gives back the memory quota. Call this when the batch's rows are stored, or will not be stored. */
  release(): void;
}

/** A batch and the size of its rows. */
interface SizedBatch {
  readonly batch: Batch;
  readonly bytes: number;
  readonly failures: FailureStacks;
}

/**
 * A body that waits to be read. `listFullTraces` is called when reading begins, because bodies that were read in the meantime can have
 * filled traces up to their maximum number of spans.
 */
export interface WaitingBody extends Omit<LargeBody, 'fullTraces'> {
  readonly listFullTraces: () => ReadonlySet<string>;
}

interface Waiting {
  readonly body: WaitingBody;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (read: SizedBatch) => void;
  readonly reject: (error: Error) => void;
}

/** A worker thread and the body that it is reading, if any. A thread reads one body at a time. */
interface Thread {
  readonly worker: Worker;
  current: Waiting | undefined;
  endSupervision: () => void;
  idle: NodeJS.Timeout | undefined;
}

export interface LargeBodiesOptions {
  readonly threads?: number;
  readonly maxReadMs?: number;
  /** Maximum elapsed time for reading a body, as a multiple of `maxReadMs`. */
  readonly maxSlowdown?: number;
  readonly maxWaitMs?: number;
  readonly maxMemoryMb?: number;
  readonly idleMs?: number;
}

/**
 * Unpacks, counts, parses, redacts and encodes large bodies in worker threads, so that they never block the event loop. At most one
 * unpacked body per thread is in memory. Projects take turns.
 */
export class LargeBodies {
  readonly #maxThreads: number;
  readonly #maxReadMs: number;
  readonly #maxSlowdown: number;
  readonly #maxWaitMs: number;
  readonly #maxMemoryMb: number;
  readonly #idleMs: number;
  readonly #threads = new Set<Thread>();
  readonly #waiting = new FairQueue<Waiting>();
  readonly #bodiesOf = new OwnerCounts();
  #rowBytes = 0;

  constructor(options: LargeBodiesOptions = {}) {
    this.#maxThreads = options.threads ?? MAX_THREADS;
    this.#maxReadMs = options.maxReadMs ?? INGEST_LIMITS.readSeconds.max * 1000;
    this.#maxSlowdown = options.maxSlowdown ?? MAX_SLOWDOWN;
    this.#maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS;
    this.#maxMemoryMb = options.maxMemoryMb ?? INGEST_LIMITS.memoryBytes.max / 1024 / 1024;
    this.#idleMs = options.idleMs ?? IDLE_MS;
  }

  /** Bytes of rows that were read by the worker threads and wait to be stored. */
  get rowBytes(): number {
    return this.#rowBytes;
  }

  /**
   * Reads a body. The body's bytes are transferred to the worker thread and cannot be used afterwards.
   * @throws AppError `overloaded`, `payload_too_large`, and the intake's errors; UnreadableBody if another attempt would also fail; Error
   * if the worker thread failed for another reason
   */
  async read(body: WaitingBody): Promise<ReadBatch> {
    const { projectId } = body.project;
    if (this.#bodiesOf.of(projectId) >= MAX_BODIES_OF_PROJECT) throw buildOverloadedError();
    this.#bodiesOf.add(projectId);
    try {
      const { batch, bytes, failures } = await this.#readInLine(body);
      return { batch, failures, release: this.#hold(projectId, bytes) };
    } catch (error) {
      this.#bodiesOf.remove(projectId);
      throw error;
    }
  }

  #readInLine(body: WaitingBody): Promise<SizedBatch> {
    const { projectId } = body.project;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.remove(projectId, waiting);
        reject(buildOverloadedError());
      }, this.#maxWaitMs);
      const waiting: Waiting = { body, timer, resolve, reject };
      this.#waiting.add(projectId, waiting);
      this.#giveOut();
    });
  }

  /** Returns a function that releases the body and its rows: they no longer count towards the limits. Further calls have no effect. */
  #hold(projectId: string, bytes: number): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#rowBytes -= bytes;
      this.#bodiesOf.remove(projectId);
      this.#giveOut();
    };
  }

  /** Stops the threads. */
  async close(): Promise<void> {
    const workers = [...this.#threads].map(({ worker }) => worker);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  /** Gives waiting bodies to free threads, and starts new threads up to the limit. */
  #giveOut(): void {
    while (this.#waiting.owners > 0 && this.#rowBytes < MAX_WAITING_ROWS_BYTES) {
      const idle = [...this.#threads].find(({ current }) => current === undefined);
      const thread = idle ?? (this.#threads.size < this.#maxThreads ? this.#begin() : undefined);
      if (thread === undefined) return;
      const next = this.#waiting.take();
      if (next === undefined) return;
      clearTimeout(next.timer);
      this.#start(thread, next);
    }
  }

  #start(thread: Thread, next: Waiting): void {
    clearTimeout(thread.idle);
    thread.current = next;
    const time = { cpuMs: this.#maxReadMs, elapsedMs: this.#maxReadMs * this.#maxSlowdown };
    thread.endSupervision = limitThreadTime(thread.worker, time, async (limit) => {
      this.#lose(thread, limit === 'elapsed' ? buildOverloadedError() : buildLimitError('readSeconds'));
      await thread.worker.terminate();
    });
    thread.worker.ref();
    const { listFullTraces, ...body } = next.body;
    const message: LargeBody = { ...body, fullTraces: listFullTraces() };
    thread.worker.postMessage(message, [body.packed.buffer]);
  }

  #begin(): Thread {
    const worker = new Worker(WORKER, {
      // The thread does not inherit this process's options: a debugger's port is already in use, and a test's loader does not work in
      // threads.
      execArgv: IS_SOURCE ? ['--conditions=source'] : [],
      resourceLimits: { maxOldGenerationSizeMb: this.#maxMemoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const thread: Thread = { worker, current: undefined, endSupervision() {}, idle: undefined };
    worker.unref();
    worker.on('message', (result: LargeBodyResult) => this.#finish(thread, result));
    worker.on('error', (error) =>
      this.#lose(thread, isOutOfMemory(error) ? buildLimitError('memoryBytes') : error),
    );
    worker.on('exit', () =>
      this.#lose(thread, new Error('a large body could not be read: its worker thread ended unexpectedly')),
    );
    this.#threads.add(thread);
    limitHeapGrowth(true);
    return thread;
  }

  #finish(thread: Thread, result: LargeBodyResult): void {
    const done = thread.current;
    thread.current = undefined;
    thread.endSupervision();
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      this.#remove(thread);
      void thread.worker.terminate();
    }, this.#idleMs).unref();
    if (done !== undefined) this.#answer(done, result);
    this.#giveOut();
  }

  #answer({ body, resolve, reject }: Waiting, result: LargeBodyResult): void {
    if ('failure' in result) {
      const why = `a large body could not be read: ${result.failure}`;
      reject(result.isFinal ? new UnreadableBody(why) : new Error(why));
    } else if ('refusal' in result) {
      const { code, message, details, headers } = result.refusal;
      reject(new AppError(code, message, { headers, ...(details && { details }) }));
    } else {
      const batch = readMessage(result.batch, body.project);
      const bytes = measureBatch(batch);
      this.#rowBytes += bytes;
      resolve({ batch, bytes, failures: result.failures });
    }
  }

  /** Returns false if the thread was already removed. */
  #remove(thread: Thread): boolean {
    const wasThere = this.#threads.delete(thread);
    if (wasThere && this.#threads.size === 0) limitHeapGrowth(false);
    return wasThere;
  }

  /** Removes a thread that failed. Other threads continue with the waiting bodies. */
  #lose(thread: Thread, error: Error): void {
    if (!this.#remove(thread)) return;
    thread.endSupervision();
    clearTimeout(thread.idle);
    thread.current?.reject(error);
    thread.current = undefined;
    this.#giveOut();
  }
}

function buildOverloadedError(): AppError {
  return new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
