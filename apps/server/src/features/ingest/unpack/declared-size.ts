import type { Encoding } from '../receive/encodings.ts';

const GZIP_MAGIC = 0x1f8b;
/** The bytes of a gzip header and trailer. */
const GZIP_FRAME_BYTES = 18;

/**
 * Returns the minimum unpacked size that a packed body declares, or 0 if it declares none. A declared size can be wrong, so it is not used
 * as a limit: it only avoids attempts that would fail.
 */
export function readDeclaredSize(packed: Buffer, encoding: Encoding): number {
  if (encoding === 'gzip') return readGzipSize(packed);
  return encoding === 'br' ? readBrotliSize(packed) : 0;
}

/** Reads the size of the last gzip member (RFC 1952, 2.3.1). */
function readGzipSize(packed: Buffer): number {
  const isGzip = packed.length > GZIP_FRAME_BYTES && packed.readUInt16BE(0) === GZIP_MAGIC;
  return isGzip ? packed.readUInt32LE(packed.length - 4) : 0;
}

/** Reads the size of the first "meta-block" (RFC 7932, 9.1 and 9.2). */
function readBrotliSize(packed: Buffer): number {
  const take = buildBitReader(packed);
  // The window size has one, four or seven bits. The first bits show how many.
  if (take(1) === 1 && take(3) === 0) take(3);
  const isLast = take(1) === 1;
  if (isLast && take(1) === 1) return 0;
  const moreNibbles = take(2);
  return moreNibbles === 3 ? 0 : take(16 + 4 * moreNibbles) + 1;
}

/** Builds a reader of numbers of `count` bits, lowest bit first. Bits beyond the end are 0. */
function buildBitReader(bytes: Buffer): (count: number) => number {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let bit = 0; bit < count; bit++, at++) value |= (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) << bit;
    return value;
  };
}
