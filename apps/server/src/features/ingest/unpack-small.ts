import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { giveBack } from '../../platform/give-back.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { ByteShare } from './byte-budget.ts';
import type { Encoding } from './encodings.ts';

/** Larger bodies are read in another thread. The SDK sends 1 MB of traces at a time, and some bytes around them. */
const MAX_SMALL_BYTES = (1024 + 64) * 1024;

type Unpack = (
  packed: Buffer,
  limit: { readonly maxOutputLength: number; readonly chunkSize: number },
) => Promise<Buffer>;

const UNPACK: Readonly<Record<Exclude<Encoding, 'identity'>, Unpack>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** Traces unpack to about this many times their size. */
const USUAL_RATIO = 15;
/** Room for a small body, whatever its ratio. */
const MIN_ROOM_BYTES = 8 * 1024;
/** One that turns out larger is unpacked again with so many times the room: all tries before cost a third of the last at most. */
const MORE_ROOM = 4;
/** With zlib's own 16 kB, going from one piece to the next cost as much as the unpacking. */
const CHUNK_BYTES = 512 * 1024;
const GZIP_MAGIC = 0x1f8b;
/** Its header and its trailer. */
const GZIP_FRAME_BYTES = 18;

/**
 * A body unpacked, within the share; undefined where it is more than {@link MAX_SMALL_BYTES}.
 * @throws AppError `invalid_encoding`, `overloaded`
 */
export async function unpackSmall(
  packed: Buffer,
  encoding: Encoding,
  share: ByteShare,
): Promise<Buffer | undefined> {
  if (packed.length > MAX_SMALL_BYTES) return undefined;
  if (encoding === 'identity') return packed;
  if (encoding === 'gzip' && saysToBe(packed) > MAX_SMALL_BYTES) return undefined;
  // Taken before it is filled, so that what unpacks to a thousand times its size finds no more room than there is.
  let room = Math.min(Math.max(packed.length * USUAL_RATIO, MIN_ROOM_BYTES), MAX_SMALL_BYTES);
  share.take(room);
  for (;;) {
    const bytes = await unpackWithin(UNPACK[encoding], packed, room);
    if (bytes !== undefined) {
      giveBack(packed);
      share.settle(bytes.length);
      return bytes;
    }
    if (room === MAX_SMALL_BYTES) return undefined;
    const more = Math.min(room * MORE_ROOM, MAX_SMALL_BYTES);
    share.take(more - room);
    room = more;
  }
}

/** Undefined where it is more. */
async function unpackWithin(unpack: Unpack, packed: Buffer, room: number): Promise<Buffer | undefined> {
  try {
    return await unpack(packed, { maxOutputLength: room, chunkSize: chunkBytes(packed) });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw new AppError('invalid_encoding', undefined, { cause });
  }
}

/**
 * What gzip says the size of its last member is (RFC 1952), 0 where that cannot be. Where it is true, a body is unpacked into one piece, which then
 * need not be put together from several; where it is not, several are made after all.
 */
function saysToBe(packed: Buffer): number {
  const isGzip = packed.length > GZIP_FRAME_BYTES && packed.readUInt16BE(0) === GZIP_MAGIC;
  return isGzip ? packed.readUInt32LE(packed.length - 4) : 0;
}

function chunkBytes(packed: Buffer): number {
  const size = saysToBe(packed);
  const likely = size > CHUNK_BYTES && size <= Math.min(packed.length * USUAL_RATIO, MAX_SMALL_BYTES);
  // A piece that is filled to its end makes zlib begin another one.
  return likely ? size + 1 : CHUNK_BYTES;
}
