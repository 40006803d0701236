import { isAscii } from 'node:buffer';
import { entryCall } from '../../internal/runtime-name.ts';

const NEEDLE = 'sourceMappingURL=';
/** The text before the name in a comment, at the beginning of a line. */
const COMMENT_START = /[\n\r][ \t]*\/\/[#@] ?$/;
/** Number of bytes before the name in which the beginning of the comment's line must be. */
const MAX_INDENT = 64;
const KEPT_BYTES = MAX_INDENT + NEEDLE.length;
const LINE_FEED = 0x0a;

/** Offsets in a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Reads a compiled file in chunks of any length, and finds the comment that names the source map. */
export class BundleScanner {
  /** True if the file was instrumented before it was loaded. */
  isInstrumented = false;
  /** The least number of characters in the file. */
  minLength = 0;

  /**
   * The end of the last chunk, because a text can begin in one chunk and end in the next, and then this chunk. The memory is used again for
   * the next chunk.
   */
  #buffer = Buffer.from('\n');
  /** Number of bytes from the last chunk. At first, a line break. */
  #kept = 1;
  #offset = 0;
  #start = -1;
  #end = -1;

  /** The last comment's text after `sourceMappingURL=`, up to the end of its line. */
  get url(): ByteRange | undefined {
    if (this.#start < 0) return undefined;
    return { start: this.#start, end: this.#end < 0 ? this.#offset : this.#end };
  }

  add(chunk: Buffer): void {
    const bytes = this.#join(chunk);
    /** Offset of the first of the bytes. The line break before the file has the offset -1. */
    const base = this.#offset - this.#kept;
    this.isInstrumented ||= bytes.includes(entryCall);
    // A character has at most three bytes, or two units and four bytes.
    this.minLength += isAscii(chunk) ? chunk.length : Math.floor(chunk.length / 3);
    let from = Math.max(0, this.#kept - NEEDLE.length + 1);
    for (;;) {
      const found = bytes.indexOf(NEEDLE, from);
      if (found < 0) break;
      from = found + NEEDLE.length;
      if (!COMMENT_START.test(bytes.toString('latin1', Math.max(0, found - MAX_INDENT), found))) continue;
      this.#start = base + from;
      this.#end = -1;
    }
    if (this.#start >= 0 && this.#end < 0) {
      const end = bytes.indexOf(LINE_FEED, Math.max(this.#start - base, this.#kept));
      if (end >= 0) this.#end = base + end;
    }
    this.#offset += chunk.length;
    this.#kept = Math.min(KEPT_BYTES, bytes.length);
    bytes.copyWithin(0, bytes.length - this.#kept);
  }

  #join(chunk: Buffer): Buffer {
    const length = this.#kept + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.alloc(KEPT_BYTES + chunk.length);
      this.#buffer.copy(larger);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#kept);
    return this.#buffer.subarray(0, length);
  }
}
