import { isUtf8 } from 'node:buffer';
import { isUint8Array } from 'node:util/types';
import { CUT_MARGIN } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { loadLateModule } from '../../internal/late-modules.ts';
import { reportFault } from '../../internal/report.ts';
import type { Shorten } from '../../record/snapshot/text.ts';
import { escapeTypeKeys } from './escape-type-keys.ts';
import { parseForm } from './query.ts';

/** Copies the first bytes of a body while the body passes, and counts all its bytes. Never reads from the stream. */
export class BodyTap {
  /** Number of bytes seen. */
  size = 0;
  private storedBytes = 0;
  private readonly chunks: Buffer[] = [];
  private readonly shownBytes: number;
  /**
   * Number of bytes that are stored: `shownBytes` plus `CUT_MARGIN`. With the additional bytes, a secret that is cut at `shownBytes` is
   * still recognized.
   */
  private readonly limit: number;

  constructor(limitBytes: number) {
    this.shownBytes = limitBytes;
    this.limit = limitBytes + CUT_MARGIN;
  }

  /**
   * Adds a chunk passed to `push`, `write` or `end`. Ignores arguments that are not data (a callback, null). Copies bytes, because the host
   * may reuse its buffer.
   */
  add(chunk: unknown, encoding: unknown): void {
    try {
      if (typeof chunk === 'string') this.addText(chunk, encoding);
      else if (isUint8Array(chunk)) this.addBytes(chunk);
    } catch (error) {
      reportFault('Capturing a body', error);
    }
  }

  private addText(chunk: string, encoding: unknown): void {
    const asEncoding = typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
    const room = this.limit - this.storedBytes;
    if (chunk.length <= room || asEncoding !== 'utf8') {
      this.addBytes(Buffer.from(chunk, asEncoding));
      return;
    }
    this.size += Buffer.byteLength(chunk);
    if (room > 0) this.keep(Buffer.from(chunk.slice(0, room)).subarray(0, room));
  }

  private addBytes(chunk: Uint8Array): void {
    this.size += chunk.byteLength;
    const room = this.limit - this.storedBytes;
    if (room > 0) this.keep(Buffer.from(chunk.byteLength > room ? chunk.subarray(0, room) : chunk));
  }

  private keep(bytes: Buffer): void {
    this.chunks.push(bytes);
    this.storedBytes += bytes.length;
  }

  /**
   * Returns the body as a captured value: JSON parsed, a form as its fields, other text as a string. `shorten` cuts a text that is too
   * long. Returns only type and size of all other bodies, and undefined if there was no body. `type` and `encoding` are the
   * content-type and content-encoding headers.
   */
  view(type: string | undefined, encoding: string | undefined, shorten: Shorten): CapturedValue | undefined {
    if (this.size === 0) return undefined;
    const mediaType = type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const whole = this.size <= this.shownBytes;
    const bytes = whole
      ? decompressBody(this.joined(), encoding, this.shownBytes)
      : isUncompressed(encoding)
        ? this.joined()
        : undefined;
    const charset = parseCharset(type);
    if (bytes === undefined || charset === undefined || !isTextual(mediaType, bytes))
      return this.bySize(mediaType);
    if (!whole) return this.beginning(bytes, charset, shorten);
    const text = bytes.toString(charset);
    if (isJson(mediaType)) return parseJson(text);
    return mediaType === 'application/x-www-form-urlencoded' ? parseForm(text) : text;
  }

  /**
   * Returns the text of the first `shownBytes` bytes. `shorten` redacts the text of all stored bytes before it cuts off the end, so that a
   * secret at the cut is recognized.
   */
  private beginning(bytes: Buffer, charset: BufferEncoding, shorten: Shorten): CapturedValue {
    const text = decodeWholeCharacters(bytes, charset);
    const { length } = decodeWholeCharacters(bytes.subarray(0, this.shownBytes), charset);
    return { $type: 'string', value: shorten(text, length), length: this.size };
  }

  /** Type and size of a body whose content is left out to stay within the CPU budget; undefined if there is no body. */
  get leftOut(): CapturedValue | undefined {
    return this.size === 0 ? undefined : { $type: 'cut', of: 'body', size: this.size, reason: 'budget' };
  }

  /** True if the first bytes of the body contain the text. */
  includes(text: string): boolean {
    return this.joined().includes(text);
  }

  private joined(): Buffer {
    const [first] = this.chunks;
    return this.chunks.length === 1 && first !== undefined
      ? first
      : Buffer.concat(this.chunks, this.storedBytes);
  }

  private bySize(mediaType: string): CapturedValue {
    return { $type: 'cut', of: mediaType === '' ? 'body' : mediaType, size: this.size, reason: 'bytes' };
  }
}

/** Decodes bytes that can end in the middle of a character. Leaves out this incomplete character. */
function decodeWholeCharacters(bytes: Buffer, charset: BufferEncoding): string {
  if (charset !== 'utf8') return bytes.toString(charset);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

function isUncompressed(encoding: string | undefined): boolean {
  return encoding === undefined || encoding === '' || encoding === 'identity';
}

/**
 * Decodes a content-encoding, up to the size limit. Returns undefined if the encoding is unknown, the data is damaged, or the result is too
 * large.
 */
function decompressBody(bytes: Buffer, encoding: string | undefined, limit: number): Buffer | undefined {
  if (isUncompressed(encoding)) return bytes;
  const bounds = { maxOutputLength: limit };
  const zlib = loadLateModule('node:zlib');
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.gunzipSync(bytes, bounds);
    if (encoding === 'br') return zlib.brotliDecompressSync(bytes, bounds);
    return encoding === 'deflate' ? zlib.inflateSync(bytes, bounds) : undefined;
  } catch {
    return undefined;
  }
}

function parseCharset(type: string | undefined): BufferEncoding | undefined {
  const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]+)/i.exec(type ?? '') ?? [];
  const name = charset.toLowerCase();
  if (name === 'utf-8' || name === 'utf8' || name === 'us-ascii' || name === 'ascii') return 'utf8';
  if (name === 'iso-8859-1' || name === 'latin1') return 'latin1';
  return name === 'utf-16le' ? 'utf16le' : undefined;
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

const textTypes =
  /^text\/|^application\/(?:.+\+)?(?:xml|javascript|graphql|x-www-form-urlencoded|x-ndjson|yaml)$/;

function isTextual(mediaType: string, bytes: Buffer): boolean {
  if (mediaType === '') return isUtf8(bytes) && !bytes.includes(0);
  return isJson(mediaType) || textTypes.test(mediaType);
}

function parseJson(text: string): CapturedValue {
  try {
    return escapeTypeKeys(JSON.parse(text));
  } catch {
    return text;
  }
}
