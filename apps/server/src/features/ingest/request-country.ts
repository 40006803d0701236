import { countryOf } from '../../platform/countries.ts';

/** Headers in which a proxy in front of the service says which country a request came from, in lower case. */
const NAMED_IN = [
  'cf-ipcountry',
  'cloudfront-viewer-country',
  'x-vercel-ip-country',
  'x-appengine-country',
  'x-country-code',
] as const;
const NAMES: ReadonlySet<string> = new Set(NAMED_IN);
/** What proxies say where they do not know. */
const UNKNOWN: ReadonlySet<string> = new Set(['XX', 'ZZ', 'T1']);

/** The country (ISO 3166-1, two letters) that a request came from: as a proxy says, else by its address; empty where nobody knows. */
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

/** The values of the headers of {@link NAMED_IN}, in its order. Most requests have none. */
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
