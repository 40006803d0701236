import { clearTimeout, setTimeout } from '../../runtime/timers.ts';
import { monotonicMicros } from '../clock.ts';

/** Longest time an error is held while its request runs. After that its stack is read. */
export const MAX_HELD_MS = 1000;

/** Largest number of errors held. When more come, the stacks of the oldest ones are read. */
export const MAX_HELD_ERRORS = 100;

interface Deferred {
  readonly error: unknown;
  readonly sinceMicros: number;
  readonly read: (error: unknown) => void;
  next: Deferred | null;
}

/**
 * The errors of a request whose stacks are to be read. V8 writes a stack out when it is first asked for, with the message that the error has then, and leaves it
 * so: a host that adds to its messages on an error's way up would miss that in its own logs. So a stack is read when the request is over, or after a while in
 * which the error has long been handled: nothing that an error refers to stays in memory for as long as a request may last.
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

  /** Calls `read`, which never throws, with the error once its stack can be read. */
  defer(error: unknown, read: (error: unknown) => void): void {
    const deferred: Deferred = { error, sinceMicros: monotonicMicros(), read, next: null };
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

  /** Releases all errors. Stacks that were not read stay unread for the host. */
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
      // The stack is full. The next error, or the end of the request, tries again.
      return undefined;
    }
  }

  #readOld(): void {
    this.#timer = undefined;
    const limit = monotonicMicros() - MAX_HELD_MS * 1000;
    while (this.#first !== null && this.#first.sinceMicros <= limit) this.#readFirst();
    if (this.#first !== null) this.#timer = this.#wait();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
