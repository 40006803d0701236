import type { Span } from '@opentelemetry/api';
import type { ActiveStep } from '../../record/active-step.ts';
import type { Recording } from '../../record/recording.ts';

/** The step of each span, of any tracer. */
const steps = new WeakMap<Span, ActiveStep>();

export function linkSpan(span: Span, step: ActiveStep): void {
  steps.set(span, step);
}

/** The step that a span is, as long as this recording runs. */
export function stepOfSpan(span: Span, recording: Recording): ActiveStep | undefined {
  const step = steps.get(span);
  return step?.recording === recording ? step : undefined;
}

/** The step that a span is, of whatever recording. */
export function findOpenStep(span: Span): ActiveStep | undefined {
  return steps.get(span);
}
