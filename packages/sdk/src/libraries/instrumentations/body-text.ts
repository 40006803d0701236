import { isUtf8 } from 'node:buffer';

/**
 * Maximum length of a message's text, in characters: more than a step shows, so that a secret at the end of the shown text is still
 * recognized.
 */
const maxCharacters = 4608;
const maxBytes = 4096;

/**
 * Formats a message's content as text. A string is cut to `maxCharacters`. For a Buffer that is not UTF-8 text or is too long, returns
 * only its size. Returns undefined for any other content.
 */
export function formatBody(content: unknown): string | undefined {
  if (typeof content === 'string') return content.slice(0, maxCharacters);
  if (!Buffer.isBuffer(content)) return undefined;
  const start = content.subarray(0, maxBytes);
  return content.length <= maxBytes && isUtf8(start) ? start.toString() : `${content.length} bytes`;
}
