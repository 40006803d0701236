import { readMonotonicMicros } from '../../record/clock.ts';

export class Deadline {
  private readonly maxMs: number;
  private readonly endMicros: number;

  constructor(maxMs: number) {
    this.maxMs = maxMs;
    this.endMicros = readMonotonicMicros() + maxMs * 1000;
  }

  /** Throws if the time limit has passed. */
  check(): void {
    if (readMonotonicMicros() > this.endMicros) throw new Error(`it takes more than ${this.maxMs / 1000} s`);
  }
}
