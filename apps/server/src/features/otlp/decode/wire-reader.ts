import { isUtf8 } from 'node:buffer';
import { KnownTexts } from './known-texts.ts';
import type { RequestCounts } from './request-counts.ts';

/** Thrown if the bytes are not a valid message. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** The last id that {@link WireReader.hexAgain} read, and the id's position. */
export class LastId {
  at = 0;
  length = 0;
  hex = '';
}

/** Wire types of protobuf. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

const REPLACEMENT = '\uFFFD';
const texts = new KnownTexts();

function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  if (text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(start, end)))
    throw new MalformedMessage('a text is not UTF-8');
  return text;
}

/**
 * Reads protobuf's wire format (protobuf.dev/programming-guides/encoding) sequentially. The same reader reads nested messages: {@link
 * enter} restricts it to a nested message, and {@link leave} returns to the outer message.
 */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #counts: RequestCounts;
  /**
   * Creates the string of an attribute's name and counts the name. The limit applies to created strings, so this is called only for names
   * that are not cached. Names that many requests share are usually cached.
   */
  readonly #makeName: typeof decodeUtf8;
  #at = 0;
  #end: number;
  #tag = 0;

  constructor(bytes: Buffer, counts: RequestCounts) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#counts = counts;
    this.#makeName = (...place) => {
      const name = decodeUtf8(...place);
      counts.addName(name);
      return name;
    };
    this.#end = bytes.length;
  }

  /**
   * Returns the next field's number and wire type as one number, as encoded: number × 8 + type. Returns 0 at the end of the message.
   * @throws MalformedMessage, AppError `payload_too_large` after too many fields
   */
  nextTag(): number {
    if (this.#at >= this.#end) return 0;
    this.#counts.addField();
    return this.#readTag();
  }

  #readTag(): number {
    this.#tag = this.varint();
    if (this.#tag < 8) throw new MalformedMessage('a field has the number 0');
    return this.#tag;
  }

  /**
   * Reads an unsigned number of up to 53 bits. A larger number is rounded to the nearest double, which is better than losing its higher
   * bits.
   */
  varint(): number {
    // Most varints are tags and lengths of one byte.
    const first = this.#at < this.#end ? this.#bytes[this.#at] : undefined;
    if (first !== undefined && first < 128) {
      this.#at += 1;
      return first;
    }
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    throw new MalformedMessage('a number has more than ten bytes');
  }

  int64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new MalformedMessage('a number has more than ten bytes');
  }

  fixed64(): bigint {
    // DataView is faster than Buffer's method, which combines four smaller reads.
    return this.#view.getBigUint64(this.#take(8), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  string(): string {
    const length = this.varint();
    const at = this.#take(length);
    return texts.of(this.#bytes, at, at + length, decodeUtf8);
  }

  /** Reads an attribute's name. @throws AppError `payload_too_large` after too many distinct names */
  name(): string {
    const length = this.varint();
    const at = this.#take(length);
    return texts.nameOf(this.#bytes, at, at + length, this.#makeName);
  }

  hex(): string {
    const length = this.varint();
    const at = this.#take(length);
    return this.#bytes.toString('hex', at, at + length);
  }

  /** Like {@link hex}, but for an id that often equals the previous one, such as a span's trace id or parent id. */
  hexAgain(last: LastId): string {
    const length = this.varint();
    const at = this.#take(length);
    if (length !== last.length || !this.#areAlike(at, last.at, length)) {
      last.at = at;
      last.length = length;
      last.hex = this.#bytes.toString('hex', at, at + length);
    }
    return last.hex;
  }

  /**
   * Searches the rest of the message for fields with the given tag, and returns the id in the last of them; an empty string if there is
   * none. The reader's position stays the same. The fields are not counted, because nothing is created from them.
   */
  findHex(tag: number, last: LastId): string {
    const start = this.#at;
    let found: number | undefined;
    while (this.#at < this.#end) {
      if (this.#readTag() === tag) found = this.#at;
      this.skip();
    }
    if (found !== undefined) this.#at = found;
    const hex = found === undefined ? '' : this.hexAgain(last);
    this.#at = start;
    return hex;
  }

  #areAlike(at: number, other: number, length: number): boolean {
    const bytes = this.#bytes;
    for (let index = 0; index < length; index++) if (bytes[at + index] !== bytes[other + index]) return false;
    return true;
  }

  base64(): { readonly size: number; readonly base64: string } {
    const size = this.varint();
    const at = this.#take(size);
    return { size, base64: this.#bytes.toString('base64', at, at + size) };
  }

  /** Enters a length-delimited field as a message. Returns the value to pass to {@link leave}. */
  enter(): number {
    const length = this.varint();
    const outer = this.#end;
    if (length > outer - this.#at)
      throw new MalformedMessage('a message is longer than the message that contains it');
    this.#end = this.#at + length;
    return outer;
  }

  leave(outer: number): void {
    this.leaveFrom(this.#end, outer);
  }

  /** Leaves the message that ends at `end`, even if the reader is inside a message nested in it. `outer` is the result of {@link enter}. */
  leaveFrom(end: number, outer: number): void {
    this.#at = end;
    this.#end = outer;
  }

  /** Enters a length-delimited field as a message, calls `read` for its contents, and leaves the message. */
  inside(read: () => void): void {
    const outer = this.enter();
    read();
    this.leave(outer);
  }

  /** Reads to the end of the message and skips fields for which `read` returns false. */
  readFields(read: (tag: number) => boolean): void {
    for (let tag = this.nextTag(); tag !== 0; tag = this.nextTag()) if (!read(tag)) this.skip();
  }

  /** The position at which the current message ends. */
  get end(): number {
    return this.#end;
  }

  /** The number of remaining bytes in the current message. */
  get left(): number {
    return this.#end - this.#at;
  }

  get position(): number {
    return this.#at;
  }

  /** Returns to an earlier position within the same message. */
  returnTo(position: number): void {
    this.#at = position;
  }

  /** Skips the field whose tag was read last. */
  skip(): void {
    switch (this.#tag & 7) {
      case VARINT:
        this.varint();
        return;
      case FIXED64:
        this.#take(8);
        return;
      case BYTES:
        this.#take(this.varint());
        return;
      case FIXED32:
        this.#take(4);
        return;
      default:
        throw new MalformedMessage(`there is no wire type ${this.#tag & 7}`);
    }
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at++] : undefined;
    if (byte === undefined) throw new MalformedMessage('the message is cut off');
    return byte;
  }

  /** Moves past `length` bytes and returns where they begin. */
  #take(length: number): number {
    const at = this.#at;
    if (length > this.#end - at) throw new MalformedMessage('the message is cut off');
    this.#at = at + length;
    return at;
  }
}
