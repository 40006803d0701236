import { isAscii } from 'node:buffer';
import { entryCall } from '../../internal/runtime-name.ts';

const NEEDLE = 'sourceMappingURL=';
/** Matches the text before {@link NEEDLE} in a comment, from the beginning of the line. */
const COMMENT_START = /[\n\r][ \t]*\/\/[#@] ?$/;
/** Maximum number of bytes from the beginning of the comment's line to {@link NEEDLE}. */
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
  /** A lower bound of the file's length in UTF-16 units. */
  minLength = 0;

  /**
   * The end of the previous chunk, followed by the current chunk: {@link NEEDLE} can begin in one chunk and end in the next. The memory is
   * used again for each chunk.
   */
  #buffer = Buffer.from('\n');
  /** Number of bytes kept from the previous chunk. Before the first chunk, `#buffer` has one line break. */
  #kept = 1;
  #offset = 0;
  #start = -1;
  #end = -1;

  /**
   * Position of the URL in the last source map comment: from after `sourceMappingURL=` to the end of the line. Undefined if there is no
   * source map comment.
   */
  get url(): ByteRange | undefined {
    if (this.#start < 0) return undefined;
    return { start: this.#start, end: this.#end < 0 ? this.#offset : this.#end };
  }

  add(chunk: Buffer): void {
    const bytes = this.#join(chunk);
    /** Offset of `bytes` in the file. The line break before the file has the offset -1. */
    const base = this.#offset - this.#kept;
    this.isInstrumented ||= bytes.includes(entryCall);
    // In UTF-8, a UTF-16 unit takes at most three bytes.
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
