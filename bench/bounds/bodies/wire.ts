import { join, type Pieces, raw } from './pieces.ts';

/** Encodes a number below 2³² as a protobuf varint, seven bits per byte. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

/** Encodes a length-delimited protobuf field: bytes, a string or a message. */
export function field(number: number, content: Pieces | string | Buffer): Pieces {
  const inner = typeof content === 'string' || Buffer.isBuffer(content) ? raw(content) : content;
  return join(varint(number * 8 + 2), varint(inner.bytes()), inner);
}

/** Like `field`, but returns one buffer, for content that is repeated. */
export function small(number: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const inner = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(number * 8 + 2), varint(inner.length), inner]);
}

/** Encodes a fixed64 field of protobuf. */
export function fixed64(number: number, value: bigint): Buffer {
  const eight = Buffer.alloc(8);
  eight.writeBigUInt64LE(value);
  return Buffer.concat([varint(number * 8 + 1), eight]);
}

export function integer(number: number, value: number): Buffer {
  return Buffer.concat([varint(number * 8), varint(value)]);
}

/** Builds an id of the given length that ends with a number. */
export function id(bytes: number, value: number): Buffer {
  const made = Buffer.alloc(bytes, 0xab);
  made.writeUInt32BE(value, bytes - 4);
  return made;
}
