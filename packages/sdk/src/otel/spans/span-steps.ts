import type { Span } from '@opentelemetry/api';
import type { ActiveStep } from '../../record/active-step.ts';
import type { Recording } from '../../record/recording.ts';

/** The step of each span, of any tracer. */
const steps = new WeakMap<Span, ActiveStep>();

export function linkSpan(span: Span, step: ActiveStep): void {
  steps.set(span, step);
}

/** Returns a span's step if the step belongs to `recording` and the recording is not finished. */
export function stepOfSpan(span: Span, recording: Recording): ActiveStep | undefined {
  const step = steps.get(span);
  return step?.recording === recording ? step : undefined;
}

/** Returns a span's step, of any recording. */
export function findOpenStep(span: Span): ActiveStep | undefined {
  return steps.get(span);
}
