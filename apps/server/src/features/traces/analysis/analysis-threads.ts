import { Worker } from 'node:worker_threads';
import { AppError } from '../../../platform/http/errors.ts';
import { FairMutex } from '../../../platform/queues/fair-mutex.ts';
import { limitThreadTime } from '../../../platform/start/thread-cpu.ts';
import { isOutOfMemory } from '../../../platform/start/thread-memory.ts';

/** An analysis of traces. A module exports the analysis as `analysis`, so that a worker thread can load it too. */
export interface Analysis<Input, Result> {
  /** The URL of the analysis's module. The module must not import anything that opens a store. */
  readonly module: string;
  readonly analyze: (input: Input) => Promise<Result>;
}

export interface AnalysisTask {
  readonly module: string;
  readonly input: unknown;
}

export type AnalysisResult = { readonly value: unknown } | { readonly failure: string };

/**
 * Maximum processor time of one analysis. All other analyses wait meanwhile. The comparison of two requests of 19,900 calls needs less,
 * even on a busy machine.
 */
const MAX_CPU_MS = 10_000;
/** Maximum elapsed time of an analysis, as a multiple of the maximum processor time. */
const MAX_SLOWDOWN = 3;
/**
 * Maximum memory of the thread. Ten large traces full of empty lists or objects need less than 384 MB. Traces full of single digits can
 * need more than the maximum.
 */
const MAX_MEMORY_MB = 512;
/** Limits the young generation of the thread's heap. */
const YOUNG_MB = 24;
const RETRY_AFTER_SECONDS = 10;
/** The idle thread is stopped after this time to free its memory. */
const IDLE_MS = 10_000;

const IS_SOURCE = import.meta.url.endsWith('.ts');
const THREAD = new URL(IS_SOURCE ? './analysis-thread.ts' : './analysis-thread.js', import.meta.url);

export interface AnalysisOptions {
  readonly maxCpuMs?: number;
  readonly maxMemoryMb?: number;
}

/** An analysis was ended, because it took too long or needed too much memory. */
export class AnalysisTooLarge extends AppError {
  constructor(reason: string) {
    super('overloaded', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/** Traces to analyze, and facts about the client that waits for the result. */
export interface AnalysisOrder<Input> {
  readonly input: Input;
  readonly project: string;
  /** True if the traces are analyzed so quickly that a worker thread is not needed. */
  readonly isSmall: boolean;
  /** True if the client that waits for the result has disconnected. */
  readonly isGone: () => boolean;
}

/**
 * Analyzes large traces in a worker thread, one analysis at a time, so that these analyses never block the event loop. Projects take turns.
 * The callers' {@link ReadingPlaces} limit the number of waiting analyses.
 */
export class AnalysisThreads {
  readonly #turns = new FairMutex();
  readonly #maxCpuMs: number;
  readonly #maxMemoryMb: number;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ maxCpuMs = MAX_CPU_MS, maxMemoryMb = MAX_MEMORY_MB }: AnalysisOptions = {}) {
    this.#maxCpuMs = maxCpuMs;
    this.#maxMemoryMb = maxMemoryMb;
  }

  /**
   * @throws AnalysisTooLarge if the analysis takes too long or needs too much memory
   * @throws AppError `overloaded` if the reader disconnected before the analysis began, or {@link close} was called
   */
  async run<Input, Result>(analysis: Analysis<Input, Result>, order: AnalysisOrder<Input>): Promise<Result> {
    const { input, project, isSmall, isGone } = order;
    if (isSmall) return analysis.analyze(input);
    const run = async () => {
      if (this.#isClosed || isGone()) throw buildCancelledError();
      return this.#runInThread({ module: analysis.module, input });
    };
    // Safe cast: the thread calls `analysis.analyze`, which returns a `Result`.
    return (await this.#turns.run(project, run)) as Result;
  }

  /** Stops the thread, and cancels the running and the waiting analyses. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(this.#worker);
  }

  async #runInThread(task: AnalysisTask): Promise<unknown> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#begin();
    const worker = this.#worker;
    const { promise, resolve, reject } = Promise.withResolvers<AnalysisResult>();
    const fail = (cause?: unknown) =>
      reject(
        isOutOfMemory(cause)
          ? new AnalysisTooLarge('The analysis of this trace needs too much memory.')
          : new Error('the thread that analyzes traces ended', { cause }),
      );
    const exit = () => (this.#isClosed ? reject(buildCancelledError()) : fail());
    const time = { cpuMs: this.#maxCpuMs, elapsedMs: this.#maxCpuMs * MAX_SLOWDOWN };
    const endSupervision = limitThreadTime(worker, time, () => {
      reject(new AnalysisTooLarge('The analysis of this trace took too long.'));
      void this.#end(worker);
    });
    worker.once('message', resolve).once('error', fail).once('exit', exit).ref();
    try {
      worker.postMessage(task);
      const result = await promise;
      if ('failure' in result) throw new Error(`traces could not be analyzed: ${result.failure}`);
      return result.value;
    } finally {
      endSupervision();
      worker.off('message', resolve).off('error', fail).off('exit', exit).unref();
      this.#idle = setTimeout(() => void this.#end(worker), IDLE_MS).unref();
    }
  }

  #begin(): Worker {
    const worker = new Worker(THREAD, {
      // The thread does not inherit this process's options, because the module loader of the tests does not work in threads.
      execArgv: IS_SOURCE ? ['--conditions=source'] : [],
      resourceLimits: { maxOldGenerationSizeMb: this.#maxMemoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('error', () => this.#forget(worker));
    worker.on('exit', () => this.#forget(worker));
    return worker;
  }

  async #end(worker: Worker | undefined): Promise<void> {
    if (worker === undefined) return;
    this.#forget(worker);
    await worker.terminate();
  }

  /** Forgets a thread that has ended or is stopped, so that the next analysis starts a new one. */
  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}

function buildCancelledError(): AppError {
  return new AppError('overloaded', 'The analysis of this trace was cancelled.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
