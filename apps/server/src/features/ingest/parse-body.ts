import { isUtf8 } from 'node:buffer';
import { IngestBody } from '@throughline/contract';
import type { z } from 'zod';
import { AppError, validationError } from '../../platform/http/errors.ts';
import { holdsAll, readKeepingNumbers } from './exact-numbers.ts';

/** Beyond this many in one batch the list of rejections could outgrow the batch itself. */
const MAX_TRACES = 10_000;

/** A batch as it was sent, before any of its traces was looked at. */
export interface ParsedBatch {
  readonly service: z.output<typeof IngestBody>['service'];
  /** For checking. */
  readonly traces: readonly unknown[];
  /** The same traces for storing: numbers that a double cannot hold are kept as their text. */
  readonly exact: readonly unknown[];
}

/** @throws AppError `invalid_json`, `validation_failed`, `payload_too_large` */
export function parseBody(bytes: Buffer): ParsedBatch {
  if (!isUtf8(bytes)) throw new AppError('invalid_json', 'The body is not UTF-8.');
  const text = withoutByteOrderMark(bytes.toString('utf8'));
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || !('traces' in body) || !Array.isArray(body.traces)) {
    throw new AppError('invalid_json', 'The body must be an object with an array of traces in `traces`.');
  }
  if (body.traces.length > MAX_TRACES) {
    throw new AppError('payload_too_large', `Send at most ${MAX_TRACES} traces at a time.`);
  }
  const read = IngestBody.safeParse(body);
  if (!read.success) throw validationError(read.error);
  return { service: read.data.service, traces: body.traces, exact: exactTraces(text, body.traces) };
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = error instanceof Error ? error.message : String(error);
    throw new AppError('invalid_json', `The body is not JSON: ${where}`);
  }
}

function exactTraces(text: string, traces: readonly unknown[]): readonly unknown[] {
  if (holdsAll(text)) return traces;
  const body = readKeepingNumbers(text);
  return typeof body === 'object' && body !== null && 'traces' in body && Array.isArray(body.traces)
    ? body.traces
    : traces;
}
