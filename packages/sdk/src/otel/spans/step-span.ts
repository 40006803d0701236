import type {
  Attributes,
  AttributeValue,
  Exception,
  Span,
  SpanContext,
  SpanStatus,
  TimeInput,
} from '@opentelemetry/api';
import { runGuarded } from '../../internal/report.ts';
import type { ActiveStep } from '../../record/active-step.ts';
import type { QueryCapture } from '../../record/capture/query-values.ts';
import { readMonotonicMicros } from '../../record/clock.ts';
import type { Recording } from '../../record/recording.ts';
import { describeSpan } from './describe-span.ts';
import { endSpanStep, type SpanEvent } from './end-span.ts';
import { createSpanContext } from './non-recording-span.ts';
import type { SentQuery } from './sent-queries.ts';
import { linkSpan } from './span-steps.ts';
import { stepMicros } from './time.ts';

const maxAttributes = 128;
const maxEvents = 32;
const errorStatus = 2;

export interface SpanStart {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Attributes | undefined;
  readonly scope: string;
}

/** A span that becomes a step of the request. If `operation` is given, the span adds its query to the step of `operation` instead. */
export class StepSpan implements Span {
  readonly #recording: Recording;
  readonly #step: ActiveStep;
  readonly #kind: number;
  readonly #scope: string;
  readonly #attributes = new Map<string, unknown>();
  readonly #events: SpanEvent[] = [];
  readonly #operation: StepSpan | undefined;
  readonly #startMicros = readMonotonicMicros();
  readonly #queries: SentQuery[] = [];
  #name: string;
  #status: SpanStatus | undefined;
  #exception: unknown;
  #query: QueryCapture | undefined;
  #rows: unknown;
  #context: SpanContext | undefined;
  #ended = false;

  constructor(recording: Recording, step: ActiveStep, start: SpanStart, operation?: StepSpan) {
    this.#operation = operation;
    this.#recording = recording;
    this.#step = step;
    this.#kind = start.kind;
    this.#scope = start.scope;
    this.#name = start.name;
    if (start.attributes !== undefined) this.setAttributes(start.attributes);
    linkSpan(this, step);
  }

  spanContext(): SpanContext {
    this.#context ??= createSpanContext(this.#recording);
    return this.#context;
  }

  isRecording(): boolean {
    return !this.#ended && !this.#recording.finished;
  }

  setAttribute(name: string, value: AttributeValue): this {
    const known = this.#attributes.has(name);
    if (!this.#ended && (known || this.#attributes.size < maxAttributes)) this.#attributes.set(name, value);
    return this;
  }

  setAttributes(attributes: Attributes): this {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value !== undefined) this.setAttribute(name, value);
    }
    return this;
  }

  addEvent(name: string, attributes?: Attributes | TimeInput): this {
    if (!this.#ended && this.#events.length < maxEvents) this.#events.push({ name, attributes });
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus(status: SpanStatus): this {
    if (!this.#ended) this.#status = status;
    return this;
  }

  updateName(name: string): this {
    if (!this.#ended && typeof name === 'string') this.#name = name;
    return this;
  }

  recordException(exception: Exception): void {
    if (!this.#ended) this.#exception ??= exception;
  }

  noteBoundValues(statement: string | undefined, values: unknown): void {
    const recording = this.#recording;
    if (this.#ended || !recording.all) return;
    this.#query = runGuarded('Capturing bound values', () =>
      recording.queries.begin(this.#step, statement, values),
    );
  }

  /** Sets the rows that the span's query returned. They are captured when the span ends. */
  noteRows(rows: unknown): void {
    if (!this.#ended) this.#rows = rows;
  }

  end(endTime?: TimeInput): void {
    if (this.#ended) return;
    this.#ended = true;
    runGuarded('Ending a span', () => this.#end(stepMicros(endTime) ?? readMonotonicMicros()));
  }

  #end(atMicros: number): void {
    const rows = this.#rows;
    // Releases the rows, because the host can reference the span for a long time.
    this.#rows = undefined;
    // If the request is over, the step belongs to no recording.
    const recording = this.#recording;
    if (this.#step.recording !== recording) return;
    const failed = this.#status?.code === errorStatus || this.#exception !== undefined;
    const query = this.#query;
    const facts = {
      name: this.#name,
      kind: this.#kind,
      attributes: Object.fromEntries(this.#attributes),
      bound: query?.bound,
      firstRows:
        failed || query === undefined
          ? undefined
          : recording.queries.captureFirstRows(this.#step, query, rows),
    };
    if (this.#operation !== undefined) {
      const micros = atMicros - this.#startMicros;
      this.#operation.#queries.push({
        view: describeSpan(facts, recording.shorten),
        micros,
        scope: this.#scope,
      });
      return;
    }
    endSpanStep(recording, this.#step, {
      ...facts,
      spanId: this.spanContext().spanId,
      scope: this.#scope,
      events: this.#events,
      queries: this.#queries,
      failure: failed ? { exception: this.#exception, message: this.#status?.message } : undefined,
      endMicros: atMicros,
    });
  }
}

/** Captures the values that are bound to a span's statement. Has no effect on spans that are no steps. */
export function noteBoundValues(span: Span, statement: string | undefined, values: unknown): void {
  if (span instanceof StepSpan) span.noteBoundValues(statement, values);
}

/** Sets the rows that a span's query returned. Has no effect on spans that are no steps. */
export function noteRows(span: Span, rows: unknown): void {
  if (span instanceof StepSpan) span.noteRows(rows);
}
