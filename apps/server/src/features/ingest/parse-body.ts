import { isUtf8 } from 'node:buffer';
import { IngestBody, Service } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import { z } from 'zod';
import { AppError, validationError } from '../../platform/http/errors.ts';
import { holdsAll, readKeepingNumbers } from './exact-numbers.ts';
import { type BodyWithout, type CapturedBytes, findCaptured } from './find-captured.ts';
import { TraceFault } from './read-trace.ts';

/** Beyond this many in one batch the list of rejections could outgrow the batch itself. */
const MAX_TRACES = 10_000;

/** A batch as it was sent, before any of its traces was looked at. */
export interface ParsedBatch {
  /** Who sent a trace. @throws TraceFault */
  serviceOf(index: number): z.output<typeof Service>;
  /** For checking. */
  readonly traces: readonly unknown[];
  /** The same traces for storing: numbers that a double cannot hold are kept as their text. */
  readonly exact: readonly unknown[];
  /** What was captured of steps; undefined where that is in the traces. */
  readonly captured: CapturedBytes | undefined;
}

/** @throws AppError `invalid_json`, `validation_failed`, `payload_too_large` */
export function parseBody(bytes: Buffer, redactor: Redactor): ParsedBatch {
  if (!isUtf8(bytes)) throw notUtf8();
  const found = findCaptured(bytes, redactor);
  const parsed = found === undefined ? undefined : parsedOf(found);
  if (found !== undefined && parsed !== undefined)
    return { ...readBatch(found.rest, parsed), captured: found.captured };
  const text = textOf(bytes);
  return { ...readBatch(text, parseJson(text)), captured: undefined };
}

/** Undefined where it is no JSON: then the whole body's is, which tells where. */
function parsedOf({ rest }: BodyWithout): unknown {
  try {
    return JSON.parse(rest);
  } catch {
    return undefined;
  }
}

function readBatch(text: string, body: unknown): Omit<ParsedBatch, 'captured'> {
  if (typeof body !== 'object' || body === null || !('traces' in body) || !Array.isArray(body.traces)) {
    throw new AppError('invalid_json', 'The body must be an object with an array of traces in `traces`.');
  }
  refuseMany(body.traces.length);
  const read = IngestBody.safeParse(body);
  if (!read.success) throw validationError(read.error);
  const { service } = read.data;
  return { serviceOf: () => service, traces: body.traces, exact: exactTraces(text, body.traces) };
}

/**
 * Traces as they are exported: one JSON object a line, each of which says who sent it.
 * @throws AppError `invalid_json`, `payload_too_large`
 */
export function parseLines(bytes: Buffer): ParsedBatch {
  const lines = textOf(bytes)
    .split('\n')
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => text.trim() !== '');
  refuseMany(lines.length);
  const traces = lines.map(({ text, number }) => parseJson(text, `Line ${number}`));
  return {
    serviceOf: (index) => serviceIn(traces[index]),
    traces,
    captured: undefined,
    exact: lines.map(({ text }, index) => (holdsAll(text) ? traces[index] : readKeepingNumbers(text))),
  };
}

/** A trace as it is read names its service and, beside it, what else is known of it. */
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

function serviceIn(trace: unknown): z.output<typeof Service> {
  const read = Sender.safeParse(trace);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw new TraceFault(`.${first?.path.join('.') ?? ''}: ${first?.message ?? 'is not valid'}`);
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8();
  return withoutByteOrderMark(bytes.toString('utf8'));
}

function notUtf8(): AppError {
  return new AppError('invalid_json', 'The body is not UTF-8.');
}

function refuseMany(traces: number): void {
  if (traces <= MAX_TRACES) return;
  throw new AppError('payload_too_large', `Send at most ${MAX_TRACES} traces at a time.`);
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function parseJson(text: string, what = 'The body'): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = error instanceof Error ? error.message : String(error);
    throw new AppError('invalid_json', `${what} is not JSON: ${where}`);
  }
}

function exactTraces(text: string, traces: readonly unknown[]): readonly unknown[] {
  if (holdsAll(text)) return traces;
  const body = readKeepingNumbers(text);
  return typeof body === 'object' && body !== null && 'traces' in body && Array.isArray(body.traces)
    ? body.traces
    : traces;
}
