import { isUtf8 } from 'node:buffer';
import { KnownTexts } from './known-texts.ts';
import type { RequestCounts } from './request-counts.ts';

/** The bytes are not the message that they should be. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** The id that {@link WireReader.hexAgain} read last, and where it is. */
export class LastId {
  at = 0;
  length = 0;
  hex = '';
}

/** The wire types of protobuf. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

const REPLACEMENT = '\uFFFD';
const texts = new KnownTexts();

function utf8Text(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  if (text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(start, end)))
    throw new MalformedMessage('a text is not UTF-8');
  return text;
}

/**
 * Reads protobuf's wire format (protobuf.dev/programming-guides/encoding) from the front. A message within a message is read by the same
 * reader: {@link enter} narrows it, {@link leave} widens it again.
 */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #counts: RequestCounts;
  /** Names that many requests have are known already, and not counted: what counts is how many are made. */
  readonly #makeName: typeof utf8Text;
  #at = 0;
  #end: number;
  #tag = 0;

  constructor(bytes: Buffer, counts: RequestCounts) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#counts = counts;
    this.#makeName = (...place) => {
      const name = utf8Text(...place);
      counts.addName(name);
      return name;
    };
    this.#end = bytes.length;
  }

  /**
   * The next field's number and wire type in one, as they are sent: number × 8 + type. 0 at the end of the message.
   * @throws MalformedMessage, AppError `payload_too_large` after too many
   */
  nextTag(): number {
    if (this.#at >= this.#end) return 0;
    this.#counts.addField();
    this.#tag = this.varint();
    if (this.#tag < 8) throw new MalformedMessage('a field has the number 0');
    return this.#tag;
  }

  /** An unsigned number of up to 53 bits; of a longer one the lower bits alone would be wrong, so it is given as nearly as a double can. */
  varint(): number {
    // Most are tags and lengths of one byte.
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

  /** An int64. */
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
    // A Buffer's own method makes it of four others.
    return this.#view.getBigUint64(this.#take(8), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** A length-delimited field as text. */
  string(): string {
    const length = this.varint();
    const at = this.#take(length);
    return texts.of(this.#bytes, at, at + length, utf8Text);
  }

  /** An attribute's name. @throws AppError `payload_too_large` after too many different ones */
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

  /** {@link hex} of an id that is often the same as the last one: a span's trace, or its parent. */
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

  /** Goes into a length-delimited field as a message; gives what {@link leave} needs. */
  enter(): number {
    const length = this.varint();
    const outer = this.#end;
    if (length > outer - this.#at) throw new MalformedMessage('a message is longer than what it is part of');
    this.#end = this.#at + length;
    return outer;
  }

  leave(outer: number): void {
    this.leaveFrom(this.#end, outer);
  }

  /** Leaves a message that ends at `end`, from however deep within it. */
  leaveFrom(end: number, outer: number): void {
    this.#at = end;
    this.#end = outer;
  }

  /** Reads a length-delimited field as a message. */
  inside(read: () => void): void {
    const outer = this.enter();
    read();
    this.leave(outer);
  }

  /** Reads the message to its end; fields that `read` does not know are passed by. */
  readFields(read: (tag: number) => boolean): void {
    for (let tag = this.nextTag(); tag !== 0; tag = this.nextTag()) if (!read(tag)) this.skip();
  }

  /** Where the message ends that it is in. */
  get end(): number {
    return this.#end;
  }

  /** Bytes that are left of the message that it is in. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** Where it is, for reading the rest of a message twice. */
  get position(): number {
    return this.#at;
  }

  /** Back to where it was within the same message. */
  returnTo(position: number): void {
    this.#at = position;
  }

  /** Goes past a field that is not known. */
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

  /** Where so many bytes begin, which are passed by. */
  #take(length: number): number {
    const at = this.#at;
    if (length > this.#end - at) throw new MalformedMessage('the message is cut off');
    this.#at = at + length;
    return at;
  }
}
