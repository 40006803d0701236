import type { CapturedValue } from '../values.ts';

/** Longer strings are not parsed as JSON, because parsing would block the page or the server. UTF-16 units. */
const PARSED_UP_TO = 1_000_000;

/** Parses a body that was captured as the text of a JSON object or list, so that its members can be opened and followed. */
export function parseBody(body: CapturedValue | undefined): CapturedValue | undefined {
  if (typeof body !== 'string' || body.length > PARSED_UP_TO || !/^\s*[[{]/.test(body)) return body;
  try {
    // Parsed JSON is by definition a captured value.
    return JSON.parse(body) as CapturedValue;
  } catch {
    return body;
  }
}
