import type { CapturedValue } from '../values.ts';

/** Maximum length, in UTF-16 units, of a string that is parsed as JSON. Parsing a longer string would block the page or the server. */
const PARSED_UP_TO = 1_000_000;

/**
 * Parses a body that was captured as the text of a JSON object or list, so that the members of the body can be expanded and searched.
 * Returns any other body unchanged.
 */
export function parseBody(body: CapturedValue | undefined): CapturedValue | undefined {
  if (typeof body !== 'string' || body.length > PARSED_UP_TO || !/^\s*[[{]/.test(body)) return body;
  try {
    // Safe cast: all parsed JSON is a valid captured value.
    return JSON.parse(body) as CapturedValue;
  } catch {
    return body;
  }
}
