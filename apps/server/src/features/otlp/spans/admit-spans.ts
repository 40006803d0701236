import { MAX_CHARACTERS } from '@throughline/contract';
import { HiddenTexts, type Redactor, redactStepFields } from '@throughline/contract/redaction';
import { AppError } from '../../../platform/http/errors.ts';
import {
  HashBudget,
  joinRows,
  RowBytes,
  type Rows,
  type SpanPlace,
  STEP_CODE,
  STORED_AT,
  writeSpanRow,
  writeStep,
} from '../../../platform/trace-store/index.ts';
import {
  type Admission,
  type Batch,
  type BatchTrace,
  encodeStep,
  isEchoed,
  isReadingFailure,
  NeedsWorker,
  NOT_READABLE,
  type Rejection,
  Rejections,
  type SpanGroup,
  TraceFault,
  withSpansOverLimit,
} from '../../ingest/index.ts';
import type { SpanFacts, SpanLink } from '../../spans/index.ts';
import { decodeJson } from '../decode/decode-json.ts';
import { decodeProtobuf } from '../decode/decode-protobuf.ts';
import { type AcceptedSpan, checkSpan } from '../decode/read-span.ts';
import { RequestCounts } from '../decode/request-counts.ts';
import {
  type Sender,
  type SentSpan,
  SpanOfFullTrace,
  STATUS_ERROR,
  UnreadableSpan,
} from '../decode/sent-span.ts';
import { MalformedMessage } from '../decode/wire-reader.ts';
import { cutText } from './cut-text.ts';
import { computeDurationNanos, encodeEntry } from './encode-entry.ts';
import { createServiceReader, type ServiceDetails } from './sender-details.ts';
import { addDetails, findCodePlace, findError } from './span-details.ts';
import { stepFields } from './step-fields.ts';
import { TakenAttributes, toNumber } from './taken-attributes.ts';

export const PROTOBUF = 'application/x-protobuf';
export const JSON_TYPE = 'application/json';
export type OtlpType = typeof PROTOBUF | typeof JSON_TYPE;

/** Reading a batch yields to the event loop after about this time. */
const SLICE_MS = 10;
/** Number of spans read between two checks of the clock. */
const SLICE_SPANS = 16;

/**
 * Limits the attribute hashes per ingest request, because a hash takes some microseconds. Most requests stay below the limit, because their
 * attributes repeat. Beyond the limit, searches compare the stored attributes of the later spans instead.
 */
const MAX_HASHES = 500_000;

/** Estimated size of a span's row, as a multiple of the span's size as sent. */
const ROW_GROWTH = 1.5;

/**
 * Reads an ExportTraceServiceRequest and builds the rows of its spans. Each span is checked separately; `index` in the response is the
 * span's position in the order sent. Of several steps with the same id in one body, only the first step is stored. Of several requests with
 * the same id, only the first request is stored.
 * @throws AppError `validation_failed` if the body is not such a message, `payload_too_large` if it exceeds a limit; NeedsWorker
 */
export async function admitSpans(body: Buffer, type: OtlpType, admission: Admission): Promise<Batch> {
  const reported = new Set<number>();
  const collected = await collectSpans(body, type, admission, { hidden: new Map(), reported });
  const echoed = collected.echoedSecrets();
  // A secret that was redacted in one span can appear in any other span of the trace, even in a span that was read earlier. The body is
  // read a second time only if such a secret seems to appear elsewhere.
  if (echoed.size === 0) return collected.batch();
  return (await collectSpans(body, type, admission, { hidden: echoed, reported })).batch();
}

/** Results of earlier passes over the same body, which is read a second time if a secret appears in several spans. */
interface Known {
  /** Secrets by trace id. Each secret is hidden everywhere in its trace. */
  readonly hidden: ReadonlyMap<string, HiddenTexts>;
  /** The indexes of spans whose unexpected errors were reported. Each span is reported once. */
  readonly reported: Set<number>;
}

async function collectSpans(
  body: Buffer,
  type: OtlpType,
  admission: Admission,
  known: Known,
): Promise<SpanCollection> {
  const counts = new RequestCounts();
  const collected = new SpanCollection(admission, counts, body.length, known);
  const decode = type === PROTOBUF ? decodeProtobuf : decodeJson;
  let sliceStartMs = performance.now();
  let index = 0;
  try {
    for (const sent of decode(body, counts, admission.fullTraces)) {
      if (sent instanceof SpanOfFullTrace) collected.refuseFull(sent.traceId);
      else if (sent instanceof UnreadableSpan) collected.refuse(index, 'invalid_trace', sent.message);
      else collected.add(...sent, index);
      if (admission.onEventLoop && counts.needsWorker) throw new NeedsWorker();
      index += 1;
      if (index % SLICE_SPANS === 0 && performance.now() - sliceStartMs > SLICE_MS) {
        await new Promise(setImmediate);
        sliceStartMs = performance.now();
      }
    }
  } catch (cause) {
    if (!(cause instanceof MalformedMessage)) throw cause;
    throw new AppError('validation_failed', `This is not an ExportTraceServiceRequest: ${cause.message}.`, {
      cause,
    });
  }
  return collected;
}

interface Gathered {
  readonly links: SpanLink[];
  /** Search data of steps, by span id. */
  readonly facts: Map<string, SpanFacts>;
  /** Ids of the spans that are requests. */
  readonly entries: Set<string>;
  readonly rows: Rows;
  /** Rows of the group's spans that are requests. */
  readonly requests: Buffer[];
  /** Strings that were redacted in the trace. */
  readonly secrets: Set<string>;
}

/** Collects the rows of an ingest request's spans, grouped by distributed trace. */
class SpanCollection {
  readonly #admission: Admission;
  readonly #storedAt: string;
  readonly #serviceOf: (sender: Sender) => ServiceDetails;
  readonly #traces: BatchTrace[] = [];
  readonly #groups = new Map<string, Gathered>();
  readonly #services = new Set<string>();
  readonly #rejections = new Rejections();
  readonly #hashes = new HashBudget(MAX_HASHES);
  readonly #counts: RequestCounts;
  readonly #bytes: RowBytes;
  readonly #known: Known;
  readonly #fullTraces = new Set<string>();
  #spansOfFull = 0;

  constructor(admission: Admission, counts: RequestCounts, bodyBytes: number, known: Known) {
    this.#admission = admission;
    this.#known = known;
    this.#counts = counts;
    this.#bytes = new RowBytes(bodyBytes * ROW_GROWTH);
    this.#storedAt = STORED_AT.write(admission.nowMicros);
    this.#serviceOf = createServiceReader(admission.redactor);
  }

  add(sent: SentSpan, sender: Sender, index: number): void {
    const { project, redactor, nowMicros } = this.#admission;
    const verdict = checkSpan(sent, { nowMicros, account: project });
    if (!verdict.ok) {
      this.refuse(index, verdict.code, verdict.message);
      return;
    }
    const { span, entry } = verdict;
    const group = this.#groupOf(span.traceId);
    if (entry ? group.entries.has(span.spanId) : group.facts.has(span.spanId)) return;
    const hidden = this.#known.hidden.get(span.traceId);
    const add = () => this.#add(verdict, sender, group, index);
    try {
      if (hidden === undefined) redactor.collectSecrets(group.secrets, add);
      else redactor.hideSecrets(hidden, add);
    } catch (error) {
      if (error instanceof TraceFault) this.refuse(index, 'invalid_trace', error.message);
      else if (isReadingFailure(error)) {
        if (!this.#known.reported.has(index)) this.#admission.onFailure(error);
        this.#known.reported.add(index);
        this.refuse(index, 'invalid_trace', NOT_READABLE);
      } else throw error;
    }
  }

  /** Encodes a span's rows completely before anything is added, so that a span that cannot be read leaves nothing behind. */
  #add({ span, entry }: AcceptedSpan, sender: Sender, group: Gathered, index: number): void {
    const { project, redactor } = this.#admission;
    const details = this.#detailsOf(sender);
    const request = entry ? this.#encodeEntry(span, sender, details) : undefined;
    const { place, step, facts } = toRow(span, sender, { entry, details, redactor, hashes: this.#hashes });
    const text = writeSpanRow(project.projectId, place, step, this.#storedAt);
    this.#counts.add('spanRowBytes', this.#bytes.add(text, group.rows));
    const { spanId, parentSpanId, service, startNanos } = place;
    group.links.push({ spanId, parentSpanId, entry, service, startNanos });
    if (facts !== undefined) group.facts.set(spanId, facts);
    if (request === undefined) return;
    this.#counts.add('spanRowBytes', request.traceRow.length + request.searchFields.length);
    this.#traces.push({ ...request, index });
    group.requests.push(request.traceRow);
    group.entries.add(spanId);
  }

  #encodeEntry(span: SentSpan, sender: Sender, details: ServiceDetails) {
    const { project, redactor, nowMicros } = this.#admission;
    const encoding = { projectId: project.projectId, redactor, nowMicros, hashes: this.#hashes };
    return encodeEntry(span, sender, details, encoding);
  }

  #groupOf(traceId: string): Gathered {
    const known = this.#groups.get(traceId);
    if (known !== undefined) return known;
    this.#counts.add('spanTraces');
    const group: Gathered = {
      links: [],
      facts: new Map(),
      entries: new Set(),
      rows: { pieces: [] },
      requests: [],
      secrets: new Set(),
    };
    this.#groups.set(traceId, group);
    return group;
  }

  #detailsOf(sender: Sender): ServiceDetails {
    const details = this.#serviceOf(sender);
    const { name } = details.service;
    if (!this.#services.has(name)) {
      this.#counts.add('spanServices');
      this.#services.add(name);
    }
    return details;
  }

  refuse(index: number, code: Rejection['code'], why: string): void {
    this.#rejections.add({ index, code, message: `span ${index}: ${why}` });
  }

  /** Rejects a span because its trace already has the maximum number of spans. */
  refuseFull(traceId: string): void {
    this.#fullTraces.add(traceId);
    this.#spansOfFull += 1;
  }

  /** Returns the secrets of each trace whose rows still seem to contain a secret that was redacted in one of its spans. */
  echoedSecrets(): ReadonlyMap<string, HiddenTexts> {
    const echoed = new Map<string, HiddenTexts>();
    for (const [traceId, { secrets, rows, requests }] of this.#groups) {
      if (isEchoed(secrets, [...rows.pieces, ...requests])) echoed.set(traceId, new HiddenTexts(secrets));
    }
    return echoed;
  }

  batch(): Batch {
    const { project } = this.#admission;
    const { projectId } = project;
    const groups = [...this.#groups].filter(([, { links }]) => links.length > 0);
    const spans = groups.map(
      ([traceId, { links, facts, rows }]): SpanGroup => ({
        key: { projectId, traceId },
        links,
        facts,
        rows: joinRows(rows),
      }),
    );
    const read = this.#rejections.answer(this.#traces.length);
    const answer = this.#spansOfFull === 0 ? read : withSpansOverLimit(read, 'traceSpans', this.#spansOfFull);
    const fullTraces = [...this.#fullTraces].map((traceId) => ({ projectId, traceId }));
    return { key: undefined, project, traces: this.#traces, spans, fullTraces, answer };
  }
}

/** The fields of a span's row; `step` is already encoded. */
interface SpanRow {
  readonly place: SpanPlace;
  readonly step: string;
  /** The search data of the step; undefined for a request. */
  readonly facts: SpanFacts | undefined;
}

/**
 * Builds a span's row and, if the span is a step, its search data. If the span is a request, its row in `traces` has the details, so its
 * row in `spans` only has the fields by which other spans are placed in the trace.
 */
function toRow(
  span: SentSpan,
  sender: Sender,
  context: {
    readonly entry: boolean;
    readonly details: ServiceDetails;
    readonly redactor: Redactor;
    readonly hashes: HashBudget;
  },
): SpanRow {
  const { entry, details, redactor, hashes } = context;
  const name = cutText(redactor.text(span.name), MAX_CHARACTERS.name);
  const place = {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    entry,
    service: details.service.name,
    startNanos: span.startNanos,
    durationNanos: computeDurationNanos(span),
  };
  if (entry) {
    const step = writeStep(STEP_CODE.write({ ...NO_CODE, name }), NO_VALUES);
    return { place: { ...place, statusCode: 0, hasError: false, resource: '{}' }, step, facts: undefined };
  }
  const taken = new TakenAttributes(span.attributes);
  const { type, captured } = stepFields(span, taken);
  const { functionName, filePath, lineNumber } = findCodePlace(taken);
  const error = findError(span, taken);
  const attributes = addDetails(taken.rest(), span, sender);
  const shown = redactStepFields({ functionName, filePath, error, metadata: attributes }, redactor);
  const redacted = {
    name,
    type,
    functionName: cutText(shown.functionName, MAX_CHARACTERS.name),
    filePath: cutText(shown.filePath, MAX_CHARACTERS.filePath),
    lineNumber,
    error: shown.error,
    metadata: shown.metadata,
    captured: captured === undefined ? undefined : redactStepFields(captured, redactor),
  };
  const { text: step, kind, hashes: found } = encodeStep(redacted, AT_ATTRIBUTES, hashes);
  const hasError = error !== undefined;
  return {
    place: { ...place, statusCode: findStatus(span), hasError, resource: details.json },
    step,
    facts: { ...found, kind },
  };
}

/** Returns the HTTP status code that the span's request gets if the span becomes a request. */
function findStatus({ attributes, status }: SentSpan): number {
  const code = toNumber(attributes['http.response.status_code'] ?? attributes['http.status_code']);
  if (Number.isInteger(code) && code >= 100 && code <= 999) return code;
  return status.code === STATUS_ERROR ? 500 : 200;
}

const PATH = ['attributes'];
/** Paths of these parts of a span in error messages. The values of all three parts come from the span's attributes. */
const AT_ATTRIBUTES = { error: PATH, metadata: PATH, captured: PATH };

const NO_CODE = { type: 'custom', functionName: '', filePath: '', lineNumber: undefined } as const;
const NO_VALUES = { error: '', metadata: '{}', captured: '' } as const;
