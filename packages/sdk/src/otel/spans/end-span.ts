import { readOwnValue } from '../../internal/foreign.ts';
import { maxName } from '../../internal/name-length.ts';
import type { ActiveStep } from '../../record/active-step.ts';
import type { Recording } from '../../record/recording.ts';
import { describeSpan, type SpanFacts } from './describe-span.ts';
import { type SentQuery, withQueries } from './sent-queries.ts';

export interface EndedSpan extends SpanFacts {
  readonly spanId: string;
  /** Name of the instrumentation that created the span. */
  readonly scope: string;
  readonly events: readonly SpanEvent[];
  /** The queries that drivers sent to carry out this span's operation. */
  readonly queries?: readonly SentQuery[];
  /** The recorded exception or the status message, if the span failed. */
  readonly failure: { readonly exception: unknown; readonly message: string | undefined } | undefined;
  /** End time of the span on the clock of the steps; undefined if the span ends now. */
  readonly endMicros: number | undefined;
}

export interface SpanEvent {
  readonly name: string;
  readonly attributes: unknown;
}

type Snapshot = ReturnType<Recording['snapshot']>;

/** Maximum number of attributes of a span. The server limits the number of distinct names. */
const maxAttributes = 1000;

export function endSpanStep(recording: Recording, step: ActiveStep, span: EndedSpan): void {
  const view = withQueries(describeSpan(span, recording.shorten), span.queries ?? []);
  step.name = recording.shorten(view.name, maxName);
  step.type = view.type;
  if (span.failure !== undefined) recording.fail(step, readFailure(span.failure));
  const { queries } = recording;
  if (recording.all && view.inputs !== undefined) step.inputs = queries.joinFields('inputs', view.inputs);
  recording.close(step, {
    metadata: { spanId: span.spanId, ...(recording.all && captureDetails(recording, span, view.rest)) },
    ...(recording.all &&
      view.outputs !== undefined && {
        outputs: queries.joinFields('outputs', view.outputs),
      }),
  });
  if (span.endMicros !== undefined) step.endMicros = Math.max(span.endMicros, step.startMicros);
}

function captureDetails(
  recording: Recording,
  span: EndedSpan,
  rest: Readonly<Record<string, unknown>>,
): Record<string, Snapshot> {
  const shown: [string, Snapshot][] = Object.entries(rest)
    .slice(0, maxAttributes)
    .map(([name, value]) => [recording.shorten(name, maxName), recording.snapshot(value)]);
  if (span.scope !== '') shown.push(['tracer', recording.snapshot(span.scope)]);
  if (span.events.length > 0) shown.push(['events', recording.snapshot(span.events)]);
  return Object.fromEntries(shown);
}

/**
 * Returns the recorded error object, so that later steps through which the same error passes are marked as rethrown. If no `Error` was
 * recorded, returns a new error with the status message or the message of the recorded exception.
 */
function readFailure({ exception, message }: NonNullable<EndedSpan['failure']>): unknown {
  if (exception instanceof Error) return exception;
  const said = readOwnValue(exception, 'message') ?? exception;
  const error = new Error(message ?? (typeof said === 'string' ? said : 'failed'));
  // Hides the stack, which would only show the SDK's code.
  Object.defineProperty(error, 'stack', { value: undefined });
  return error;
}
