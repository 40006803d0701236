import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { INGEST_LIMITS } from '@throughline/contract';
import { releaseBuffer } from '../../../platform/buffers/release-buffer.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Encoding } from '../receive/encodings.ts';
import { buildLimitError } from '../receive/over-limit.ts';

const MAX_BYTES = INGEST_LIMITS.unpackedBytes.max;
/** The chunks are small, so that other unpacking of the process can run between two chunks. */
const PIECE = { chunkSize: 256 * 1024 };

const CREATE: Readonly<Record<Exclude<Encoding, 'identity'>, () => Transform>> = {
  gzip: () => createGunzip(PIECE),
  br: () => createBrotliDecompress(PIECE),
  zstd: () => createZstdDecompress(PIECE),
};

/**
 * Unpacks a body piece by piece, then runs `read` with the whole body. `count` receives each piece first and can abort by throwing. The
 * memory is freed when this function returns.
 * @throws AppError `payload_too_large`, `invalid_encoding`; errors of `count` and `read`
 */
export async function withUnpacked<T>(
  packed: Buffer,
  encoding: Encoding,
  count: (piece: Buffer) => void,
  read: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  if (encoding === 'identity') {
    count(packed);
    return read(packed).finally(() => releaseBuffer(packed));
  }
  // This reserves memory for the largest body, but memory pages that are never written do not use physical memory.
  const room = Buffer.allocUnsafeSlow(MAX_BYTES);
  try {
    let length = 0;
    for await (const piece of unpackPieces(packed, encoding)) {
      if (length + piece.length > MAX_BYTES) throw buildLimitError('unpackedBytes');
      count(piece);
      length += piece.copy(room, length);
    }
    return await read(room.subarray(0, length));
  } finally {
    releaseBuffer(room);
  }
}

async function* unpackPieces(
  packed: Buffer,
  encoding: Exclude<Encoding, 'identity'>,
): AsyncGenerator<Buffer> {
  const unpacking = CREATE[encoding]();
  unpacking.end(packed);
  const pieces = unpacking[Symbol.asyncIterator]();
  try {
    for (;;) {
      const piece = await nextPiece(pieces);
      if (piece === undefined) return;
      yield piece;
    }
  } finally {
    unpacking.destroy();
  }
}

async function nextPiece(pieces: AsyncIterator<unknown>): Promise<Buffer | undefined> {
  try {
    const { done, value } = await pieces.next();
    if (done === true) return undefined;
    if (Buffer.isBuffer(value)) return value;
  } catch (cause) {
    throw new AppError('invalid_encoding', undefined, { cause });
  }
  throw new TypeError('decompressing a body returned no bytes');
}
