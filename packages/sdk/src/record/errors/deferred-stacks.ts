import { clearTimeout, setTimeout } from '../../internal/timers.ts';
import { readMonotonicMicros } from '../clock.ts';

/** Age in ms at which an error's stack is read even if its request is still running. Ages are checked at intervals of the same length. */
export const MAX_HELD_MS = 1000;

/** Maximum number of retained errors. If more errors arrive, the stacks of the oldest ones are read. */
export const MAX_HELD_ERRORS = 100;

interface Deferred {
  readonly error: unknown;
  readonly sinceMicros: number;
  readonly read: (error: unknown) => void;
  next: Deferred | null;
}

/**
 * Errors whose stacks are read later. V8 formats a stack at its first access, with the error's message at that time, and never updates it.
 * If the SDK read the stack early, a host that extends the message while the error propagates would not see the extension in its own logs.
 * So stacks are read when the request ends, or after a delay that also limits how long the error's objects stay in memory.
 */
export class DeferredStacks {
  #first: Deferred | null = null;
  #last: Deferred | null = null;
  #held = 0;
  #deferred = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The number of errors deferred so far. */
  get count(): number {
    return this.#deferred;
  }

  /** Calls `read` with the error once its stack can be read. `read` must not throw. */
  defer(error: unknown, read: (error: unknown) => void): void {
    const deferred: Deferred = { error, sinceMicros: readMonotonicMicros(), read, next: null };
    if (this.#last === null) this.#first = deferred;
    else this.#last.next = deferred;
    this.#last = deferred;
    this.#deferred++;
    this.#held++;
    if (this.#held > MAX_HELD_ERRORS) this.#readFirst();
    this.#timer ??= this.#wait();
  }

  readAll(): void {
    while (this.#first !== null) this.#readFirst();
    this.#stop();
  }

  /** Reads the stacks of the errors that were deferred after the first `count` errors. */
  readAfter(count: number): void {
    let last: Deferred | null = null;
    let rest = this.#first;
    for (let number = this.#deferred - this.#held; rest !== null && number < count; number++) {
      last = rest;
      rest = rest.next;
    }
    if (last === null) this.#first = null;
    else last.next = null;
    this.#last = last;
    for (; rest !== null; rest = rest.next) {
      this.#held--;
      rest.read(rest.error);
    }
  }

  /** Releases all errors. Stacks that were not read are left for the host to format. */
  forget(): void {
    this.#first = this.#last = null;
    this.#held = 0;
    this.#stop();
  }

  #readFirst(): void {
    const first = this.#first;
    if (first === null) return;
    this.#first = first.next;
    if (this.#first === null) this.#last = null;
    this.#held--;
    first.read(first.error);
  }

  #wait(): ReturnType<typeof setTimeout> | undefined {
    try {
      return setTimeout(() => {
        try {
          this.#readOld();
        } catch {}
      }, MAX_HELD_MS).unref();
    } catch {
      // The timer could not be set, because the call stack is full. The next error sets it; otherwise the stacks are read when the request ends.
      return undefined;
    }
  }

  #readOld(): void {
    this.#timer = undefined;
    const limit = readMonotonicMicros() - MAX_HELD_MS * 1000;
    while (this.#first !== null && this.#first.sinceMicros <= limit) this.#readFirst();
    if (this.#first !== null) this.#timer = this.#wait();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
