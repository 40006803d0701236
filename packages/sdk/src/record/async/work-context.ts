import { AsyncLocalStorage } from 'node:async_hooks';
import type { Frame, LinkedRecording, LinkedStep, StartedWork } from '../links.ts';
import { findContextFrames } from './context-frames.ts';

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
const frames = findContextFrames<StartedWork | undefined>();

export function getCurrentWork(): StartedWork | undefined {
  return frames === null ? storage.getStore() : frames.current()?.get(storage);
}

/** Returns the frame of the current async context; undefined if there is none, or if this version of Node has no frames. */
export function getCurrentFrame(): Frame | undefined {
  return frames?.current();
}

/** Makes the work that starts from now on belong to `work`, until the context changes again. */
export function enterWork(work: StartedWork | undefined): void {
  const outer = frames?.current();
  if (frames === null || outer === undefined || outer.size > 1 || !outer.has(storage)) {
    storage.enterWith(work);
    return;
  }
  // The context has no other value, so the new frame needs no copy of the current one. Such a copy takes five times as long.
  let frame = outer;
  frames.set(undefined);
  try {
    frame = new frames(storage, work);
  } finally {
    frames.set(frame);
  }
}

/**
 * Makes `to` the current frame in place of `from`. Both frames must have a value of the SDK, and one must have been made from the other.
 * Returns false if the host has changed the context since: `from` is not the current frame, or a storage was disabled.
 */
export function switchFrame(from: Frame | undefined, to: Frame | undefined): boolean {
  if (frames === null || from === undefined || to === undefined) return false;
  if (frames.current() !== from || from.size !== to.size) return false;
  frames.set(to);
  return true;
}

/** Runs `fn` so that all work started in `fn` belongs to `work`. */
export function runWork<T>(work: StartedWork, fn: () => T): T {
  if (frames === null) return storage.run(work, fn);
  const before = getCurrentWork();
  if (before === work) return fn();
  const outer = frames.current();
  enterWork(work);
  const inner = frames.current();
  try {
    return fn();
  } finally {
    if (before === undefined || !switchFrame(inner, outer)) enterWork(before);
  }
}

/** Runs `fn` so that all work started in `fn` belongs to `recording`. */
export function runRecording<T>(recording: Pick<LinkedRecording, 'context'>, fn: () => T): T {
  return runWork(recording.context, fn);
}
