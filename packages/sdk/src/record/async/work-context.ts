import { AsyncLocalStorage } from 'node:async_hooks';
import type { LinkedRecording, LinkedStep, StartedWork } from '../links.ts';

/**
 * The value of the async context: the request and the step that started the work. The fields are private, so that code that prints the
 * context, such as a snapshot of a timer, shows nothing.
 */
export class WorkContext implements StartedWork {
  readonly #recording: LinkedRecording;
  readonly #step: LinkedStep | null;

  constructor(recording: LinkedRecording, step: LinkedStep | null) {
    this.#recording = recording;
    this.#step = step;
  }

  get recording(): LinkedRecording {
    return this.#recording;
  }

  /** Null if the request itself started the work. */
  get step(): LinkedStep | null {
    return this.#step;
  }
}

const storage = new AsyncLocalStorage<StartedWork | undefined>();

export function getCurrentWork(): StartedWork | undefined {
  return storage.getStore();
}

/** Makes the work that starts from now on belong to `work`, until the context changes again. */
export function enterWork(work: StartedWork | undefined): void {
  storage.enterWith(work);
}

/** Runs `fn` so that all work started in `fn` belongs to `work`. */
export function runWork<T>(work: StartedWork, fn: () => T): T {
  return storage.run(work, fn);
}

/** Runs `fn` so that all work started in `fn` belongs to `recording`. */
export function runRecording<T>(recording: Pick<LinkedRecording, 'context'>, fn: () => T): T {
  return storage.run(recording.context, fn);
}
