import { ERRORS, type ErrorCode } from '@throughline/contract';
import type { AppError } from '../../../platform/http/errors.ts';
import { type BatchAnswer, countRejections } from '../../ingest/index.ts';

/**
 * Maps each error code that an OTLP request can get to its google.rpc.Code. A body over a limit is an invalid argument: many senders retry
 * RESOURCE_EXHAUSTED (8) even without RetryInfo.
 */
const RPC_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  validation_failed: 3,
  invalid_json: 3,
  invalid_encoding: 3,
  unsupported_media_type: 3,
  not_found: 12,
  payload_too_large: 3,
  invalid_api_key: 16,
  trial_expired: 9,
  quota_exceeded: 8,
  too_many_requests: 8,
  overloaded: 14,
  unavailable: 14,
};
const RPC_INTERNAL = 13;

export function toRpcCode(error: AppError): number {
  return RPC_CODES[error.code] ?? RPC_INTERNAL;
}

/**
 * Formats an error as one string, since senders log only the message. Adds the remedy if the message only states the general meaning of the
 * error code.
 */
export function formatError({ code, message }: AppError): string {
  const { meaning, remedy } = ERRORS[code];
  return message === meaning ? `${message} ${remedy}` : message;
}

/** Encodes an error as google.rpc.Status in JSON. OTLP requires that a response uses the encoding of the request. */
export function encodeStatusJson(error: AppError): string {
  return JSON.stringify({ code: toRpcCode(error), message: formatError(error) });
}

/**
 * Encodes an error as google.rpc.Status in protobuf. Adds google.rpc.RetryInfo if the sender can retry, because gRPC senders look for it.
 */
export function encodeStatusProtobuf(error: AppError): Buffer {
  const retryAfter = error.headers['retry-after'];
  return Buffer.concat([
    Buffer.from([0x08, toRpcCode(error)]),
    encodeField(0x12, Buffer.from(formatError(error))),
    ...(retryAfter === undefined ? [] : [encodeField(0x1a, retryInfo(Number(retryAfter)))]),
  ]);
}

/** Encodes a google.protobuf.Any with a RetryInfo, whose only field is a Duration in seconds. */
function retryInfo(seconds: number): Buffer {
  const delay = encodeField(0x0a, Buffer.concat([Buffer.from([0x08]), encodeVarint(seconds)]));
  return Buffer.concat([
    encodeField(0x0a, Buffer.from('type.googleapis.com/google.rpc.RetryInfo')),
    encodeField(0x12, delay),
  ]);
}

interface PartialSuccess {
  readonly rejectedSpans: number;
  readonly errorMessage: string;
}

function buildPartialSuccess(answer: BatchAnswer): PartialSuccess | undefined {
  const rejectedSpans = countRejections(answer)
    .values()
    .reduce((sum, count) => sum + count, 0);
  if (rejectedSpans === 0) return undefined;
  const listed = answer.rejected.map(({ code, message }) => `${message} (${code})`);
  const more = rejectedSpans - listed.length;
  return { rejectedSpans, errorMessage: [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ') };
}

/** Encodes an ExportTraceServiceResponse. `partial_success` is included only if spans were rejected. */
export function encodeResponseJson(answer: BatchAnswer): string {
  const partial = buildPartialSuccess(answer);
  if (partial === undefined) return '{}';
  return JSON.stringify({ partialSuccess: { ...partial, rejectedSpans: String(partial.rejectedSpans) } });
}

export function encodeResponseProtobuf(answer: BatchAnswer): Buffer {
  const partial = buildPartialSuccess(answer);
  if (partial === undefined) return Buffer.alloc(0);
  const message = Buffer.concat([
    Buffer.from([0x08]),
    encodeVarint(partial.rejectedSpans),
    encodeField(0x12, Buffer.from(partial.errorMessage)),
  ]);
  return encodeField(0x0a, message);
}

/** Encodes a length-delimited field. */
function encodeField(tag: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), encodeVarint(bytes.length), bytes]);
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
