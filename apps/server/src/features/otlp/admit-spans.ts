import type { IngestAnswer } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import { AppError } from '../../platform/http/errors.ts';
import { microsField } from '../../platform/trace-store/index.ts';
import { type Admission, type Batch, type BatchTrace, hashesOf, type SpanGroup } from '../ingest/index.ts';
import { kindOf } from '../rollups/index.ts';
import { encodeSpan, type Span, type SpanFacts, type SpanLink } from '../spans/index.ts';
import { decodeJson } from './decode-json.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { durationNanos, encodeEntry } from './encode-entry.ts';
import { checkSpan } from './read-span.ts';
import { joined, RowBytes, type Rows } from './row-bytes.ts';
import { type ServiceDetails, serviceReader } from './sender-details.ts';
import { type Sender, type SentSpan, STATUS_ERROR, UnreadableSpan } from './sent-span.ts';
import { codeOf, errorOf, otherDetails } from './span-details.ts';
import { stepFields } from './step-fields.ts';
import { TakenAttributes } from './taken-attributes.ts';
import { MalformedMessage } from './wire-reader.ts';

export const PROTOBUF = 'application/x-protobuf';
export const JSON_TYPE = 'application/json';
export type OtlpType = typeof PROTOBUF | typeof JSON_TYPE;

/** Longer than this nothing else of the process waits for a batch being read. */
const SLICE_MS = 10;
/** How often the clock is looked at meanwhile. */
const SLICE_SPANS = 16;

/** A span's row is about so many times as long as what it came as. */
const ROW_GROWTH = 1.5;

type Rejection = IngestAnswer['rejected'][number];

/**
 * Reads an ExportTraceServiceRequest and makes rows of its spans. Each is checked for itself; `index` in the answer counts the spans as
 * they were sent.
 * @throws AppError `validation_failed` where the body is no such message
 */
export async function admitSpans(body: Buffer, type: OtlpType, admission: Admission): Promise<Batch> {
  const collected = new SpanCollection(admission, body.length);
  let sliceStartMs = performance.now();
  let index = 0;
  try {
    for (const sent of type === PROTOBUF ? decodeProtobuf(body) : decodeJson(body)) {
      if (sent instanceof UnreadableSpan) collected.refuse(index, 'invalid_trace', sent.message);
      else collected.add(...sent, index);
      index += 1;
      if (index % SLICE_SPANS === 0 && performance.now() - sliceStartMs > SLICE_MS) {
        await new Promise(setImmediate);
        sliceStartMs = performance.now();
      }
    }
  } catch (cause) {
    if (!(cause instanceof MalformedMessage)) throw cause;
    throw new AppError('validation_failed', `This is no ExportTraceServiceRequest: ${cause.message}.`, {
      cause,
    });
  }
  return collected.batch();
}

interface Gathered {
  readonly links: SpanLink[];
  readonly facts: Map<string, SpanFacts>;
  readonly rows: Rows;
}

/** The rows of a request's spans, by distributed trace. */
class SpanCollection {
  readonly #admission: Admission;
  readonly #storedAt: string;
  readonly #serviceOf: (sender: Sender) => ServiceDetails;
  readonly #traces: BatchTrace[] = [];
  readonly #groups = new Map<string, Gathered>();
  readonly #rejected: Rejection[] = [];
  readonly #bytes: RowBytes;

  constructor(admission: Admission, bodyBytes: number) {
    this.#admission = admission;
    this.#bytes = new RowBytes(bodyBytes * ROW_GROWTH);
    this.#storedAt = microsField(admission.nowMicros);
    this.#serviceOf = serviceReader(admission.redactor);
  }

  add(sent: SentSpan, sender: Sender, index: number): void {
    const { project, nowMicros } = this.#admission;
    const verdict = checkSpan(sent, { nowMicros, account: project });
    if (!verdict.ok) {
      this.refuse(index, verdict.code, verdict.message);
      return;
    }
    const { span, entry } = verdict;
    const details = this.#serviceOf(sender);
    if (entry) {
      const { redactor } = this.#admission;
      const encoding = { projectId: project.projectId, redactor, nowMicros };
      this.#traces.push({ ...encodeEntry(span, sender, details, encoding), index });
    }
    const group: Gathered = this.#groups.get(span.traceId) ?? {
      links: [],
      facts: new Map(),
      rows: { pieces: [] },
    };
    const row = toRow(span, sender, { entry, details, redactor: this.#admission.redactor, group });
    this.#groups.set(span.traceId, group);
    group.links.push({
      spanId: row.spanId,
      parentSpanId: row.parentSpanId,
      entry,
      service: row.service,
      startNanos: span.startNanos,
    });
    this.#bytes.add(encodeSpan(row, project.projectId, this.#storedAt), group.rows);
  }

  refuse(index: number, code: Rejection['code'], why: string): void {
    this.#rejected.push({ index, code, message: `span ${index}: ${why}` });
  }

  batch(): Batch {
    const { project } = this.#admission;
    const { projectId } = project;
    const spans = [...this.#groups].map(
      ([traceId, { links, facts, rows }]): SpanGroup => ({
        key: { projectId, traceId },
        links,
        facts,
        rows: joined(rows),
      }),
    );
    const answer = { accepted: this.#traces.length, rejected: this.#rejected };
    return { key: undefined, project, traces: this.#traces, spans, answer };
  }
}

/** A step's row, whose attributes its group takes note of; of a request only what places others, since its own row has the rest. */
function toRow(
  span: SentSpan,
  sender: Sender,
  context: {
    readonly entry: boolean;
    readonly details: ServiceDetails;
    readonly redactor: Redactor;
    readonly group: Gathered;
  },
): Span {
  const { entry, details, redactor, group } = context;
  const place = {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    entry,
    service: details.service.name.toWellFormed(),
    name: span.name.toWellFormed(),
    startNanos: span.startNanos.toString(),
    durationNanos: durationNanos(span).toString(),
  };
  if (entry) return { ...place, ...NO_STEP };
  const taken = new TakenAttributes(span.attributes);
  const { type, captured } = stepFields(span, taken);
  const code = codeOf(taken);
  const error = errorOf(span, taken);
  const metadata = redactor.fields({ ...taken.rest(), ...otherDetails(span, sender) }, ['metadata']);
  const shown = redactor.fields(captured);
  group.facts.set(span.spanId, {
    ...hashesOf(metadata),
    kind: kindOf({ type, name: span.name, metadata, failed: error !== undefined, captured: shown }),
  });
  return {
    ...place,
    type,
    statusCode: statusOf(span),
    hasError: error !== undefined,
    functionName: code.functionName.toWellFormed(),
    filePath: code.filePath.toWellFormed(),
    lineNumber: code.lineNumber,
    error: error === undefined ? '' : JSON.stringify(redactor.fields({ ...error }, ['error'])),
    metadata: JSON.stringify(metadata),
    captured: Object.keys(shown).length === 0 ? '' : JSON.stringify(shown),
    resource: details.json,
  };
}

/** What it would have answered, should it have to stand for its request one day. */
function statusOf({ attributes, status }: SentSpan): number {
  const code = Number(attributes['http.response.status_code'] ?? attributes['http.status_code']);
  if (Number.isInteger(code) && code >= 100 && code <= 999) return code;
  return status.code === STATUS_ERROR ? 500 : 200;
}

const NO_STEP = {
  type: 'custom',
  statusCode: 0,
  hasError: false,
  functionName: '',
  filePath: '',
  lineNumber: undefined,
  error: '',
  metadata: '{}',
  captured: '',
  resource: '{}',
} as const;
