import type { Attributes, AttributeValue, Exception, Span, SpanContext } from '@opentelemetry/api';
import { maxName } from '../../internal/name-length.ts';
import { runGuarded } from '../../internal/report.ts';
import type { ActiveStep } from '../../record/active-step.ts';
import { getRecording } from '../../record/async/current-recording.ts';
import type { Recording } from '../../record/recording.ts';
import { createSpanContext } from './non-recording-span.ts';
import { linkSpan } from './span-steps.ts';

/** Maximum number of metadata names per step. Further attributes of the host are dropped. */
const maxNames = 128;

/**
 * Returns the span that is active for the host while a step without its own span runs, such as a function or a handler. The span can be a
 * parent, and its attributes become the step's metadata. Ending the span does not end the step.
 */
export function createStepSpan(recording: Recording, step: ActiveStep): Span {
  if (step.span !== null) return step.span;
  const span = new FunctionSpan(recording, step);
  noteSpan(span, step);
  return span;
}

export function noteSpan(span: Span, step: ActiveStep): void {
  linkSpan(span, step);
  step.span = span;
}

class FunctionSpan implements Span {
  readonly #recording: Recording;
  readonly #step: ActiveStep;
  #context: SpanContext | undefined;

  constructor(recording: Recording, step: ActiveStep) {
    this.#recording = recording;
    this.#step = step;
  }

  spanContext(): SpanContext {
    this.#context ??= createSpanContext(this.#recording);
    return this.#context;
  }

  isRecording(): boolean {
    return this.#step.recording !== null;
  }

  setAttribute(name: string, value: AttributeValue): this {
    this.#note(name, value);
    return this;
  }

  setAttributes(attributes: Attributes): this {
    for (const [name, value] of Object.entries(attributes ?? {})) this.#note(name, value);
    return this;
  }

  addEvent(name: string, attributes?: unknown): this {
    this.#note(`event ${typeof name === 'string' ? name : ''}`, attributes ?? null);
    return this;
  }

  recordException(exception: Exception): void {
    this.#note('exception', exception);
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

  end(): void {}

  #note(name: string, value: unknown): void {
    const recording = getRecording(this.#step);
    if (recording === null || !recording.all) return;
    runGuarded('Storing an attribute', () => {
      const key = recording.shorten(String(name), maxName);
      const { metadata = {} } = this.#step;
      if (!Object.hasOwn(metadata, key) && Object.keys(metadata).length >= maxNames) return;
      this.#step.metadata = { ...metadata, [key]: recording.snapshot(value) };
    });
  }
}
