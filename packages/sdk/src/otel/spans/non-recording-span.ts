import type { Span, SpanContext } from '@opentelemetry/api';
import { createSpanId } from '../../http/context/ids.ts';
import type { Recording } from '../../record/recording.ts';

/** A span of work that is not recorded. It propagates its trace context and stores nothing. */
export class NonRecordingSpan implements Span {
  readonly #context: SpanContext;

  constructor(context: SpanContext) {
    this.#context = context;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  isRecording(): boolean {
    return false;
  }

  end(): void {}

  recordException(): void {}

  setAttribute(): this {
    return this;
  }

  setAttributes(): this {
    return this;
  }

  addEvent(): this {
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus(): this {
    return this;
  }

  updateName(): this {
    return this;
  }
}

/** The context that the OpenTelemetry API defines for an invalid span: all ids are zero. */
export const noSpanContext: SpanContext = {
  traceId: '0'.repeat(32),
  spanId: '0'.repeat(16),
  traceFlags: 0,
};

/** Returns the ids of a new span in the trace of a recorded request. */
export function createSpanContext(recording: Recording): SpanContext {
  const traceId = recording.ids?.traceId;
  return traceId === undefined ? noSpanContext : { traceId, spanId: createSpanId(), traceFlags: 1 };
}
