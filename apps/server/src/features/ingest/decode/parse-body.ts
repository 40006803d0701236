import { isUtf8 } from 'node:buffer';
import { INGEST_LIMITS, IngestBody, Service } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import { z } from 'zod';
import { AppError, buildValidationError, refuseField } from '../../../platform/http/errors.ts';
import { JsonBounds } from '../../../platform/json-bounds/json-bounds.ts';
import { buildLimitError } from '../receive/over-limit.ts';
import type { CapturedStep } from './captured-step.ts';
import { areNumbersExact, readKeepingNumbers } from './exact-numbers.ts';
import { BYTE_ORDER_MARK } from './json-characters.ts';
import { BODY_BOUNDING, LINES_BOUNDING } from './json-limits.ts';
import { NotReadable } from './json-number.ts';
import { buildStepsFault, TraceFault } from './read-trace.ts';
import { type BodyParts, splitBody } from './split-body.ts';

/** A batch as it was sent. The traces are parsed one by one, so that only one of them is in memory as an object. */
export interface ParsedBatch {
  readonly count: number;
  /** @throws TraceFault; AppError `invalid_json` if the trace is not valid JSON; JsonTooLarge */
  read(index: number): SentTrace;
}

/** A trace before it is checked. */
export interface SentTrace {
  /** The trace to check. */
  readonly sent: unknown;
  /** The trace to store. Unlike in `sent`, numbers that a double cannot represent keep their digits. */
  readonly exact: unknown;
  readonly service: z.output<typeof Service>;
  /** Returns a step's captured values by the step's position in the flow. */
  readonly captured: (step: number) => CapturedStep | undefined;
}

/** A body with fewer bytes than this cannot contain an object that exceeds the limits on members and on the length of their names. */
const UNCOUNTED_BYTES = Math.min(INGEST_LIMITS.keys.max * '"":0,'.length, INGEST_LIMITS.nameBytes.max);
/** The maximum size of the envelope, which contains the service's name, version and similar data. */
const MAX_ENVELOPE = 64 * 1024;

export interface ParseOptions {
  readonly redactor: Redactor;
  /** True if the JSON limits were checked while the body was unpacked. */
  readonly isCounted: boolean;
}

/** @throws AppError `invalid_json`, `validation_failed`, `payload_too_large`; JsonTooLarge */
export function parseBody(bytes: Buffer, { redactor, isCounted }: ParseOptions): ParsedBatch {
  if (!isUtf8(bytes)) throw buildUtf8Error();
  const { envelope, traces, uncountedBytes } = split(bytes, redactor);
  if (traces === undefined) {
    throw new AppError('invalid_json', 'The body must be an object with an array of traces in `traces`.');
  }
  if (!isCounted && uncountedBytes > UNCOUNTED_BYTES) new JsonBounds(BODY_BOUNDING.limits).add(bytes);
  const service = readEnvelope(envelope);
  return {
    count: traces.count,
    read(index) {
      if (traces.hasTooManySteps(index)) throw buildStepsFault();
      return {
        ...parseTrace(traces.jsonOf(index), () => `traces[${index}]`),
        service,
        captured: (step) => traces.capturedOf(index, step),
      };
    },
  };
}

function split(bytes: Buffer, redactor: Redactor): BodyParts {
  try {
    return splitBody(bytes, redactor);
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    throw new AppError('invalid_json', `The body is not JSON: ${error.message}.`, { cause: error });
  }
}

function readEnvelope(json: string): z.output<typeof Service> {
  if (json.length > MAX_ENVELOPE) throw buildEnvelopeError();
  const read = IngestBody.omit({ traces: true }).safeParse(parseJson(json, () => 'The body'));
  if (!read.success) throw buildValidationError(read.error);
  return read.data.service;
}

function buildEnvelopeError(): AppError {
  const message = `must be at most ${MAX_ENVELOPE / 1024} kB of JSON with sdk`;
  return refuseField('service', message, `service: ${message}`);
}

/**
 * Parses traces in the export format: one JSON object per line, each with its service.
 * @throws AppError `invalid_json`, `payload_too_large`; JsonTooLarge
 */
export function parseLines(bytes: Buffer, { isCounted }: Pick<ParseOptions, 'isCounted'>): ParsedBatch {
  if (!isUtf8(bytes)) throw buildUtf8Error();
  if (!isCounted) new JsonBounds(LINES_BOUNDING.limits).add(bytes);
  const lines = findLines(bytes);
  return {
    count: lines.length,
    read(index) {
      const line = lines[index];
      if (line === undefined) throw new RangeError(`there is no line ${index}`);
      const parsed = parseTrace(bytes.toString('utf8', line.start, line.end), () => `Line ${line.number}`);
      return { ...parsed, service: readService(parsed.sent), captured: () => undefined };
    },
  };
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** The line number, starting from 1. */
  readonly number: number;
}

const LINE_END = 0x0a;
const LAST_BLANK = 0x20;

/** Finds the lines that are not blank. @throws AppError `payload_too_large` */
function findLines(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  const mark = bytes.length >= 3 && bytes.readUIntBE(0, 3) === BYTE_ORDER_MARK;
  let start = mark ? 3 : 0;
  let number = 1;
  while (start < bytes.length) {
    const first = bytes[start] ?? 0;
    if (first === LINE_END) number += 1;
    if (first <= LAST_BLANK) {
      start += 1;
      continue;
    }
    if (lines.length === INGEST_LIMITS.traces.max) throw buildLimitError('traces');
    const found = bytes.indexOf(LINE_END, start);
    const end = found < 0 ? bytes.length : found;
    lines.push({ start, end, number });
    start = end;
  }
  return lines;
}

/** In the export format, each trace contains its service's name and details. */
const Sender = z
  .object({
    service: Service.shape.name,
    serviceVersion: Service.shape.version,
    environment: Service.shape.environment,
    release: Service.shape.release,
    instance: Service.shape.instance,
    runtime: Service.shape.runtime,
  })
  .transform(({ service, serviceVersion, ...rest }) => ({ ...rest, name: service, version: serviceVersion }));

function readService(trace: unknown): z.output<typeof Service> {
  const read = Sender.safeParse(trace);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw new TraceFault(`.${first?.path.join('.') ?? ''}: ${first?.message ?? 'is not valid'}`);
}

function parseTrace(json: string, nameOf: () => string): Pick<SentTrace, 'sent' | 'exact'> {
  const sent = parseJson(json, nameOf);
  return { sent, exact: areNumbersExact(json) ? sent : readKeepingNumbers(json) };
}

function buildUtf8Error(): AppError {
  return new AppError('invalid_json', 'The body is not UTF-8.');
}

function parseJson(text: string, nameOf: () => string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = error instanceof Error ? error.message : String(error);
    throw new AppError('invalid_json', `${nameOf()} is not JSON: ${where}`);
  }
}
