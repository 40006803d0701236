import { isUtf8 } from 'node:buffer';

const maxBytes = 4096;

/** Formats a message's content as a string. If the content is not UTF-8 text or is too long, formats only its size. */
export function formatBody(content: unknown): string | undefined {
  if (typeof content === 'string') return content.slice(0, maxBytes);
  if (!Buffer.isBuffer(content)) return undefined;
  const start = content.subarray(0, maxBytes);
  return content.length <= maxBytes && isUtf8(start) ? start.toString() : `${content.length} bytes`;
}
