import { TRACE_LIMITS } from '@throughline/contract';
import type { ProjectId } from '../../platform/ids.ts';

/** Maximum rate at which a project's spans are read: about a quarter of a core. */
const SPANS_PER_SECOND = 40_000;
const MAX_ALLOWANCE = 2 * TRACE_LIMITS.traceSpans.max;
/** Fixed cost of reading a trace, in addition to its spans: it takes as long as reading this number of spans. */
const SPANS_PER_TRACE = 20;

/** Limits how many stored spans are read for each project, to assemble traces and to count full traces. */
export class SpanAllowances {
  /**
   * The number of spans that can still be read, for each project whose allowance is not at its maximum. Negative after a large trace was
   * read.
   */
  readonly #left = new Map<ProjectId, number>();
  #refilledMs = 0;

  /** Adds the allowance for the time since the last call. */
  refill(nowMs: number): void {
    const spans = ((nowMs - this.#refilledMs) / 1000) * SPANS_PER_SECOND;
    this.#refilledMs = nowMs;
    for (const [project, left] of this.#left) {
      if (left + spans >= MAX_ALLOWANCE) this.#left.delete(project);
      else this.#left.set(project, left + spans);
    }
  }

  /** True if more of the project's traces can be read now. */
  isLeft(project: ProjectId): boolean {
    return (this.#left.get(project) ?? MAX_ALLOWANCE) > 0;
  }

  charge(project: ProjectId, spans: number): void {
    this.#left.set(project, (this.#left.get(project) ?? MAX_ALLOWANCE) - SPANS_PER_TRACE - spans);
  }
}
