import type { CapturedValue } from '@throughline/contract';

/** Longer strings are not parsed as JSON on the page's main thread. UTF-16 units. */
const PARSED_UP_TO = 1_000_000;

/** Parses a body that is a JSON object or list, so that it can be opened like any other value. */
export function parseBody(body: CapturedValue | undefined): CapturedValue | undefined {
  if (typeof body !== 'string' || body.length > PARSED_UP_TO || !/^\s*[[{]/.test(body)) return body;
  try {
    // Parsed JSON is by definition a captured value.
    return JSON.parse(body) as CapturedValue;
  } catch {
    return body;
  }
}
