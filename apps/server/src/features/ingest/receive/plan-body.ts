import type { IncomingMessage } from 'node:http';
import { INGEST_LIMITS } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import { type Encoding, findEncoding } from './encodings.ts';
import { buildLimitError } from './over-limit.ts';

/** A body's type and encoding according to its headers, checked before the body is read. */
export interface BodyPlan<Type extends string = string> {
  readonly contentType: Type;
  readonly encoding: Encoding;
}

/** @throws AppError `unsupported_media_type`, `payload_too_large` */
export function planBody<Type extends string>(
  headers: IncomingMessage['headers'],
  contentTypes: readonly Type[],
): BodyPlan<Type> {
  const contentType = contentTypes.find((type) => type === readContentType(headers));
  if (contentType === undefined) {
    throw new AppError('unsupported_media_type', `Send ${contentTypes.join(' or ')}.`);
  }
  const encoding = findEncoding((headers['content-encoding'] ?? 'identity').trim().toLowerCase());
  if (encoding === undefined) {
    throw new AppError('unsupported_media_type', 'The content-encoding must be gzip, br or zstd, or absent.');
  }
  const length = headers['content-length'];
  if (length !== undefined && Number(length) > INGEST_LIMITS.packedBytes.max) {
    throw buildLimitError('packedBytes');
  }
  return { contentType, encoding };
}

/** Returns the content type in lower case without parameters; empty if there is none. */
export function readContentType(headers: IncomingMessage['headers']): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
}
