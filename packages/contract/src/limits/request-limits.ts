import { INGEST_LIMITS } from './ingest-limits.ts';
import { type RequestLimit, showMax } from './limit.ts';
import { OTLP_LIMITS } from './otlp-limits.ts';

/** All limits of requests with traces, in any format. A request above one of them is rejected as a whole. */
export const REQUEST_LIMITS = { ...INGEST_LIMITS, ...OTLP_LIMITS } as const;
export type RequestLimitName = keyof typeof REQUEST_LIMITS;

/** Formats a limit's number for people: `8 MB`, `5,000,000`. */
export function showLimit(name: RequestLimitName): string {
  return showMax(name, REQUEST_LIMITS[name].max);
}

/** Describes the limit that a body exceeds, with its number and how to fix the problem. */
export function describeExcess(name: RequestLimitName): string {
  const { what, remedy }: RequestLimit = REQUEST_LIMITS[name];
  return `The body has more than ${showLimit(name)} ${what} (limit ${name}). ${remedy}`;
}
