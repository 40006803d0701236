import type { Logger } from '../log.ts';

/** Work that is repeated at an interval. Two runs never overlap. */
export interface PeriodicJob {
  /** Runs the work, after the run that is in progress has ended. Rejects if the work fails or the job is closed. */
  run(): Promise<void>;
  /** Like `run`, but logs a failure instead of rejecting. Does nothing if the job is closed. */
  trigger(): Promise<void>;
  /** Starts no further run, aborts the signal of the run in progress, and waits for that run. */
  close(): Promise<void>;
}

export interface PeriodicWork {
  /** Milliseconds between the starts of two runs. A run is skipped if the previous run is still in progress. */
  readonly everyMs: number;
  /** Milliseconds until the first run; 0 runs immediately. If absent, the first run starts after `everyMs`. */
  readonly firstMs?: number;
  /** The signal aborts when the job closes, so that long work can end early. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  /** Text of the warning that is logged if a run fails. */
  readonly failure: string;
}

/** Starts a job whose timer does not keep the process alive. */
export function startPeriodicJob({ everyMs, firstMs, work, log, failure }: PeriodicWork): PeriodicJob {
  const closing = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let pending = 0;
  const run = (): Promise<void> => {
    pending += 1;
    const turn = last
      .then(() => {
        closing.signal.throwIfAborted();
        return work(closing.signal);
      })
      .finally(() => {
        pending -= 1;
      });
    last = turn.catch(() => {});
    return turn;
  };
  const trigger = (): Promise<void> =>
    run().catch((err: unknown) => {
      if (!closing.signal.aborted) log.warn({ err }, failure);
    });
  const tick = () => {
    if (pending === 0) void trigger();
  };
  const timers = [setInterval(tick, everyMs).unref()];
  if (firstMs === 0) tick();
  else if (firstMs !== undefined) timers.push(setTimeout(tick, firstMs).unref());
  return {
    run,
    trigger,
    async close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
      await last;
    },
  };
}
