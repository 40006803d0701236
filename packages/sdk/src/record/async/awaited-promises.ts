import { WatchedPromise } from './watched-promise.ts';

const MANY = 64;

/** Promises for which the steps of one recording wait. */
export class AwaitedPromises {
  #promises: WatchedPromise[] = [];
  #compactAt = MANY;

  add(promise: WatchedPromise): void {
    const { length } = this.#promises;
    if (this.#promises[length - 1] === promise) return;
    if (length >= this.#compactAt) this.#compact();
    this.#promises[this.#promises.length] = promise;
  }

  /** Reads the outcome of each promise that a step still waits for: the promise can have settled without a report by V8's hook. */
  readUnnoticed(): void {
    if (this.#promises.length === 0) return;
    this.#compact();
    if (this.#promises.length === 0) return;
    WatchedPromise.readAll(this.#promises);
    this.#promises = [];
  }

  #compact(): void {
    const waiting: WatchedPromise[] = [];
    for (let index = 0; index < this.#promises.length; index++) {
      const promise = this.#promises[index];
      if (promise !== undefined && !promise.isDone) waiting[waiting.length] = promise;
    }
    this.#promises = waiting;
    this.#compactAt = MANY + waiting.length * 2;
  }
}
