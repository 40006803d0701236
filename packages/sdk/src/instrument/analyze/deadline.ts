import { monotonicMicros } from '../../record/clock.ts';

/** Ends work that takes too long. */
export class Deadline {
  private readonly maxMs: number;
  private readonly endMicros: number;

  constructor(maxMs: number) {
    this.maxMs = maxMs;
    this.endMicros = monotonicMicros() + maxMs * 1000;
  }

  /** Throws once the time is over. */
  check(): void {
    if (monotonicMicros() > this.endMicros) throw new Error(`it takes more than ${this.maxMs / 1000} s`);
  }
}
