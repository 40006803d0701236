import { isUtf8 } from 'node:buffer';

/** A step shows fewer characters. The additional ones are needed to recognize a secret at the position where the text is cut. */
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
