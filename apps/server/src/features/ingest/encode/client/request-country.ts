import { findCountry } from '../../../../platform/countries.ts';

/** Lower-case names of the headers in which a proxy in front of the service sends the request's country. */
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

/** Returns the country of a request (ISO 3166-1, two letters): from a proxy's header, otherwise from the address; empty if unknown. */
export function findRequestCountry(
  headers: Readonly<Record<string, unknown>> | undefined,
  address: string | null | undefined,
): string {
  for (const value of readNamedHeaders(headers ?? {})) {
    if (typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) && !UNKNOWN.has(value.toUpperCase())) {
      return value.toUpperCase();
    }
  }
  return findCountry(address ?? '') ?? '';
}

/** Returns the values of the headers in {@link NAMED_IN}, in that order. Most requests have none of these headers. */
function readNamedHeaders(headers: Readonly<Record<string, unknown>>): readonly unknown[] {
  let byName: Map<string, unknown> | undefined;
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    if (!NAMES.has(lower)) continue;
    byName ??= new Map();
    byName.set(lower, headers[name]);
  }
  return byName === undefined ? [] : NAMED_IN.map((name) => byName.get(name));
}
