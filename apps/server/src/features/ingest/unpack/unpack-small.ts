import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { releaseBuffer } from '../../../platform/buffers/release-buffer.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { FairMutex } from '../../../platform/queues/fair-mutex.ts';
import type { ByteShare } from '../receive/byte-budget.ts';
import type { Encoding } from '../receive/encodings.ts';
import { readDeclaredSize } from './declared-size.ts';

export type Unpack = (
  packed: Buffer,
  limit: { readonly maxOutputLength: number; readonly chunkSize: number },
) => Promise<Buffer>;

type Packed = Exclude<Encoding, 'identity'>;

const UNPACK: Readonly<Record<Packed, Unpack>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/**
 * Each unpacking uses a pool thread, which competes with the event loop and the store's statements for the cores. One thread already
 * unpacks faster than the event loop parses, so more than two threads would be of little use.
 */
const MAX_AT_ONCE = availableParallelism() > 2 ? 2 : 1;
/**
 * Traces and spans usually unpack to 10 to 40 times their packed size. A body that unpacks to more than `MAX_RATIO` times its packed size
 * is read in a worker thread, whatever its size.
 */
const MAX_RATIO = 64;
/** A body can always unpack to this size, even if this is more than `MAX_RATIO` times its packed size. */
const MIN_ROOM_BYTES = 64 * 1024;
/** With zlib's default of 16 kB, switching between chunks took as long as the unpacking. */
const CHUNK_BYTES = 512 * 1024;

export interface SmallBodiesOptions {
  readonly atOnce?: number;
  readonly unpackers?: Readonly<Record<Packed, Unpack>>;
}

/** Unpacks small bodies, a few at a time. Owners take turns. */
export class SmallBodies {
  readonly #turns: FairMutex;
  readonly #unpackers: Readonly<Record<Packed, Unpack>>;

  constructor({ atOnce = MAX_AT_ONCE, unpackers = UNPACK }: SmallBodiesOptions = {}) {
    this.#turns = new FairMutex(atOnce);
    this.#unpackers = unpackers;
  }

  /**
   * Unpacks a body within its owner's share of memory. Returns undefined if the unpacked body exceeds `maxBytes` or the usual ratio, so
   * that a worker thread must read it. This thread does not unpack a body a second time with a higher limit, because each try is expensive:
   * brotli first fills its window, which takes 16 MB of memory and 35 ms even for a body of 100 bytes.
   * @throws AppError `invalid_encoding`, `overloaded`
   */
  async unpack(
    packed: Buffer,
    encoding: Encoding,
    { share, maxBytes }: { readonly share: ByteShare; readonly maxBytes: number },
  ): Promise<Buffer | undefined> {
    if (packed.length > maxBytes) return undefined;
    if (encoding === 'identity') return packed;
    const said = readDeclaredSize(packed, encoding);
    if (said > maxBytes) return undefined;
    const room = Math.min(Math.max(packed.length * MAX_RATIO, MIN_ROOM_BYTES), maxBytes);
    return this.#turns.run(share.owner, async () => {
      share.take(room);
      const bytes = await unpackWithin(this.#unpackers[encoding], packed, {
        maxOutputLength: room,
        chunkSize: chooseChunkBytes(said, room),
      });
      if (bytes === undefined) return undefined;
      releaseBuffer(packed);
      share.settle(bytes.length);
      return bytes;
    });
  }
}

/** Returns undefined if the unpacked body exceeds the limit. */
async function unpackWithin(
  unpack: Unpack,
  packed: Buffer,
  limit: Parameters<Unpack>[1],
): Promise<Buffer | undefined> {
  try {
    return await unpack(packed, limit);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw new AppError('invalid_encoding', undefined, { cause });
  }
}

/** Returns the chunk size. A body that declares its true size is unpacked into one chunk, which avoids joining several. */
function chooseChunkBytes(said: number, room: number): number {
  const isLikely = said > CHUNK_BYTES && said <= room;
  // Adds one byte, since zlib starts another chunk when a chunk is full.
  return isLikely ? said + 1 : CHUNK_BYTES;
}
