import type { Span } from '@opentelemetry/api';
import type { ActiveStep } from '../../record/active-step.ts';
import { Mark } from '../../record/mark.ts';
import type { Recording } from '../../record/recording.ts';

/** A span of any tracer, marked with its step. A WeakMap with an entry for each span would slow the host's garbage collection. */
class LinkedSpan extends Mark {
  #step: ActiveStep;

  private constructor(span: Span, step: ActiveStep) {
    super(span);
    this.#step = step;
  }

  static link(span: Span, step: ActiveStep): void {
    if (#step in span) span.#step = step;
    else new LinkedSpan(span, step);
  }

  static find(span: Span): ActiveStep | undefined {
    return #step in span ? span.#step : undefined;
  }
}

export function linkSpan(span: Span, step: ActiveStep): void {
  LinkedSpan.link(span, step);
}

/** Returns a span's step if the step belongs to `recording` and the recording is not finished. */
export function stepOfSpan(span: Span, recording: Recording): ActiveStep | undefined {
  const step = LinkedSpan.find(span);
  return step?.recording === recording ? step : undefined;
}

/** Returns the step of a span, even if the step belongs to another recording. */
export function findLinkedStep(span: Span): ActiveStep | undefined {
  return LinkedSpan.find(span);
}
