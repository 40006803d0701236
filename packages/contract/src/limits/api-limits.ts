import { KB, type RequestLimit, showMax } from './limit.ts';

/** Limits of one API request. Routes that receive traces have separate limits. */
export const API_LIMITS = {
  bodyBytes: { max: 256 * KB, what: 'of JSON in the body of a request with a session' },
  openBodyBytes: { max: 16 * KB, what: 'of JSON in the body of a request without a session' },
  bodyValues: { max: 2_000, what: 'JSON values in a body' },
  bodyDepth: { max: 16, what: 'nested levels of objects and arrays in a body' },
  bodyKeys: { max: 500, what: 'members in one object of a body' },
  bodyDigits: { max: 100, what: 'characters in one number of a body' },
  queryParameters: { max: 100, what: 'parameters in a URL' },
} as const satisfies Record<string, Omit<RequestLimit, 'remedy'>>;

export type ApiLimitName = keyof typeof API_LIMITS;

/** Maximum number of invalid fields that an error lists. `details.moreFields` is the number of further invalid fields. */
export const MAX_REPORTED_FIELDS = 20;

/** Describes the limit that a request exceeds. */
export function describeApiExcess(name: ApiLimitName): string {
  const { max, what } = API_LIMITS[name];
  return `The request has more than ${showMax(name, max)} ${what} (limit ${name}).`;
}
