import { countryOf } from '../../platform/countries.ts';

/** Headers in which a proxy in front of the service says which country a request came from, in lower case. */
const NAMED_IN = [
  'cf-ipcountry',
  'cloudfront-viewer-country',
  'x-vercel-ip-country',
  'x-appengine-country',
  'x-country-code',
] as const;
/** What proxies say where they do not know. */
const UNKNOWN: ReadonlySet<string> = new Set(['XX', 'ZZ', 'T1']);

/** The country (ISO 3166-1, two letters) that a request came from: as a proxy says, else by its address; empty where nobody knows. */
export function countryOfRequest(
  headers: Readonly<Record<string, unknown>> | undefined,
  address: string | null | undefined,
): string {
  const byName = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of NAMED_IN) {
    const value = byName.get(name);
    if (typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) && !UNKNOWN.has(value.toUpperCase())) {
      return value.toUpperCase();
    }
  }
  return countryOf(address ?? '') ?? '';
}
