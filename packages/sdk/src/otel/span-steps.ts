import type { Span } from '@opentelemetry/api';
import type { OpenStep } from '../record/open-step.ts';
import type { Recording } from '../record/recording.ts';

/** The step of each span, of any tracer. */
const steps = new WeakMap<Span, OpenStep>();

export function linkSpan(span: Span, step: OpenStep): void {
  steps.set(span, step);
}

/** The step that a span is, as long as this recording runs. */
export function stepOfSpan(span: Span, recording: Recording): OpenStep | undefined {
  const step = steps.get(span);
  return step?.recording === recording ? step : undefined;
}

/** The step that a span is, of whatever recording. */
export function findOpenStep(span: Span): OpenStep | undefined {
  return steps.get(span);
}
