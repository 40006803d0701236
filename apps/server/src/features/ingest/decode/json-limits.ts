import { INGEST_LIMITS, type RequestLimitName } from '@throughline/contract';
import { type JsonLimits, JsonTooLarge } from '../../../platform/json-bounds/json-bounds.ts';
import { buildLimitError } from '../receive/over-limit.ts';

/** The JSON limits of an ingest format, and the names under which exceeded limits are reported to senders. */
export interface JsonBounding {
  readonly limits: JsonLimits;
  readonly names: Readonly<Record<keyof JsonLimits, RequestLimitName>>;
}

const NAMES = {
  values: 'values',
  depth: 'depth',
  keys: 'keys',
  nameBytes: 'nameBytes',
  digits: 'digits',
  part: 'traceValues',
} as const;

function boundTraces(depthOfTraces: number): JsonBounding {
  return {
    limits: {
      values: INGEST_LIMITS.values.max,
      depth: INGEST_LIMITS.depth.max,
      keys: INGEST_LIMITS.keys.max,
      nameBytes: INGEST_LIMITS.nameBytes.max,
      digits: INGEST_LIMITS.digits.max,
      part: { depth: depthOfTraces, values: INGEST_LIMITS.traceValues.max },
    },
    names: NAMES,
  };
}

/** The JSON limits for bodies of the form `{"traces":[…]}`. */
export const BODY_BOUNDING = boundTraces(2);
/** The JSON limits for bodies with one trace per line. */
export const LINES_BOUNDING = boundTraces(0);

/**
 * Runs code that reads JSON.
 * @throws AppError `payload_too_large` with the limit's name if the JSON exceeds a limit. Rethrows other errors of `work`, and all errors
 * if `names` is undefined.
 */
export async function runWithinLimits<T>(
  names: JsonBounding['names'] | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof JsonTooLarge) || names === undefined) throw error;
    throw buildLimitError(names[error.limit], { cause: error });
  }
}
