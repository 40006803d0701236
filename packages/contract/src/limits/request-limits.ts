import { INGEST_LIMITS } from './ingest-limits.ts';
import { type RequestLimit, showMax } from './limit.ts';
import { OTLP_LIMITS } from './otlp-limits.ts';

/** All limits over which a whole request with traces is refused, in whatever form they come. */
export const REQUEST_LIMITS = { ...INGEST_LIMITS, ...OTLP_LIMITS } as const;
export type RequestLimitName = keyof typeof REQUEST_LIMITS;

/** The number of a limit as people write it: `8 MB`, `5,000,000`. */
export function showLimit(name: RequestLimitName): string {
  return showMax(name, REQUEST_LIMITS[name].max);
}

/** Says of a body which limit it is over, the limit's number, and what to do about it. */
export function describeExcess(name: RequestLimitName): string {
  const { what, remedy }: RequestLimit = REQUEST_LIMITS[name];
  return `The body has more than ${showLimit(name)} ${what} (limit ${name}). ${remedy}`;
}
