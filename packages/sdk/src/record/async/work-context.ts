import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActiveStep } from '../active-step.ts';
import type { Recording } from '../recording.ts';

/**
 * The value of the async context: the request and the step that started the work. The fields are private, so that code that prints the
 * context, such as a snapshot of a timer, shows nothing.
 */
export class WorkContext {
  readonly #recording: Recording;
  readonly #step: ActiveStep | null;

  constructor(recording: Recording, step: ActiveStep | null) {
    this.#recording = recording;
    this.#step = step;
  }

  get recording(): Recording {
    return this.#recording;
  }

  /** Null if the request itself started the work. */
  get step(): ActiveStep | null {
    return this.#step;
  }
}

const storage = new AsyncLocalStorage<WorkContext | undefined>();

export function getCurrentWork(): WorkContext | undefined {
  return storage.getStore();
}

/** Makes the work that starts from now on belong to `work`, until the next call. */
export function enterWork(work: WorkContext | undefined): void {
  storage.enterWith(work);
}

/** Runs `fn` so that all work started in `fn` belongs to `work`. */
export function runWork<T>(work: WorkContext, fn: () => T): T {
  return storage.run(work, fn);
}

/** Runs `fn` so that all work started in `fn` belongs to `recording`. */
export function runRecording<T>(recording: Recording, fn: () => T): T {
  return storage.run(recording.context, fn);
}

/** Returns the recording to which the running code belongs. Returns undefined outside of a recording, and after the recording has ended. */
export function getCurrentRecording(): Recording | undefined {
  const recording = storage.getStore()?.recording;
  return recording === undefined || recording.finished ? undefined : recording;
}
