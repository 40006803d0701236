import type { CapturedValue } from '@throughline/contract/values';

type Headers = { readonly [name: string]: CapturedValue };

/** Converts headers from Node's form: strings, numbers, or lists for repeated headers. */
export function convertNodeHeaders(headers: Readonly<Record<string, unknown>>): Headers {
  const shown: [string, CapturedValue][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') shown.push([name, value]);
    else if (typeof value === 'number') shown.push([name, String(value)]);
    else if (Array.isArray(value)) shown.push([name, value.map(String)]);
  }
  return Object.fromEntries(shown);
}

/**
 * Converts headers from undici's form: alternating names and values, as strings or bytes. Older versions of undici pass header lines
 * instead.
 */
export function convertUndiciHeaders(headers: unknown): Headers {
  if (typeof headers === 'string') return pairHeaders(headers.split('\r\n').flatMap(splitHeaderLine));
  return Array.isArray(headers) ? pairHeaders(headers) : {};
}

function splitHeaderLine(text: string): string[] {
  const colon = text.indexOf(':');
  return colon < 1 ? [] : [text.slice(0, colon), text.slice(colon + 1).trim()];
}

function pairHeaders(list: readonly unknown[]): Headers {
  const found = new Map<string, string | string[]>();
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = readHeaderText(list[at])?.toLowerCase();
    const value = readHeaderText(list[at + 1]);
    if (name === undefined || value === undefined) continue;
    const before = found.get(name);
    if (before === undefined) found.set(name, value);
    else found.set(name, typeof before === 'string' ? [before, value] : [...before, value]);
  }
  return Object.fromEntries(found);
}

function readHeaderText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return Array.isArray(value) ? value.map((part) => readHeaderText(part) ?? '').join(', ') : undefined;
}
