import { API_LIMITS, type ApiLimitName } from '@throughline/contract';
import { JsonBounds, type JsonLimits, JsonTooLarge } from '../json-bounds/json-bounds.ts';
import { AppError, buildApiLimitError } from './errors.ts';

const LIMITS: JsonLimits = {
  values: API_LIMITS.bodyValues.max,
  depth: API_LIMITS.bodyDepth.max,
  keys: API_LIMITS.bodyKeys.max,
  nameBytes: API_LIMITS.bodyBytes.max,
  digits: API_LIMITS.bodyDigits.max,
  part: { depth: 0, values: API_LIMITS.bodyValues.max },
};

const NAMES: Readonly<Record<keyof JsonLimits, ApiLimitName>> = {
  values: 'bodyValues',
  depth: 'bodyDepth',
  keys: 'bodyKeys',
  nameBytes: 'bodyBytes',
  digits: 'bodyDigits',
  part: 'bodyValues',
};

/**
 * Parses the body of a request. An empty body counts as absent, since many clients always send the
 * content type.
 * @throws AppError `invalid_json`; `payload_too_large` if the body is above a limit, before any of it is parsed
 */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  boundStructure(bytes);
  try {
    // A key such as __proto__ is harmless here: schemas copy only the keys that they declare.
    return JSON.parse(bytes.toString()) as unknown;
  } catch (cause) {
    const where = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new AppError('invalid_json', `The body is not JSON: ${where}`, { cause });
  }
}

function boundStructure(bytes: Buffer): void {
  try {
    new JsonBounds(LIMITS).add(bytes);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw buildApiLimitError(NAMES[error.limit], error);
    throw error;
  }
}
