import type { CapturedValue } from '@throughline/contract';

/** Longer texts are not worth reading as JSON on the page's own thread. UTF-16 units. */
const PARSED_UP_TO = 1_000_000;

/** A body to be looked into: text that is a JSON object or list is read, so that it opens like any other value. */
export function parseBody(body: CapturedValue | undefined): CapturedValue | undefined {
  if (typeof body !== 'string' || body.length > PARSED_UP_TO || !/^\s*[[{]/.test(body)) return body;
  try {
    // JSON is a captured value by its definition.
    return JSON.parse(body) as CapturedValue;
  } catch {
    return body;
  }
}
