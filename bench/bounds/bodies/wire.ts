import { join, type Pieces, raw } from './pieces.ts';

/** A number below 2³² in protobuf's wire format, seven bits a byte. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A field of protobuf whose content is bytes, a text or a message. */
export function field(number: number, content: Pieces | string | Buffer): Pieces {
  const inner = typeof content === 'string' || Buffer.isBuffer(content) ? raw(content) : content;
  return join(varint(number * 8 + 2), varint(inner.bytes()), inner);
}

/** The same in one piece, for what is repeated. */
export function small(number: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const inner = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(number * 8 + 2), varint(inner.length), inner]);
}

/** A field whose content is a fixed number of eight bytes. */
export function fixed64(number: number, value: bigint): Buffer {
  const eight = Buffer.alloc(8);
  eight.writeBigUInt64LE(value);
  return Buffer.concat([varint(number * 8 + 1), eight]);
}

export function integer(number: number, value: number): Buffer {
  return Buffer.concat([varint(number * 8), varint(value)]);
}

/** An id of so many bytes, which says a number. */
export function id(bytes: number, value: number): Buffer {
  const made = Buffer.alloc(bytes, 0xab);
  made.writeUInt32BE(value, bytes - 4);
  return made;
}
