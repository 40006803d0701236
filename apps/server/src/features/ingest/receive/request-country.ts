import { countryOf } from '../../../platform/countries.ts';

/** Headers in which a proxy in front of the service gives the request's country, in lower case. */
const NAMED_IN = [
  'cf-ipcountry',
  'cloudfront-viewer-country',
  'x-vercel-ip-country',
  'x-appengine-country',
  'x-country-code',
] as const;
const NAMES: ReadonlySet<string> = new Set(NAMED_IN);
/** Codes that proxies send for an unknown country. */
const UNKNOWN: ReadonlySet<string> = new Set(['XX', 'ZZ', 'T1']);

/** Returns the country (ISO 3166-1, two letters) of a request: from a proxy header, else from the address; empty if unknown. */
export function countryOfRequest(
  headers: Readonly<Record<string, unknown>> | undefined,
  address: string | null | undefined,
): string {
  for (const value of valuesNamed(headers ?? {})) {
    if (typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) && !UNKNOWN.has(value.toUpperCase())) {
      return value.toUpperCase();
    }
  }
  return countryOf(address ?? '') ?? '';
}

/** Returns the values of the headers of {@link NAMED_IN}, in that order. Most requests have none. */
function valuesNamed(headers: Readonly<Record<string, unknown>>): readonly unknown[] {
  let byName: Map<string, unknown> | undefined;
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    if (!NAMES.has(lower)) continue;
    byName ??= new Map();
    byName.set(lower, headers[name]);
  }
  return byName === undefined ? [] : NAMED_IN.map((name) => byName.get(name));
}
