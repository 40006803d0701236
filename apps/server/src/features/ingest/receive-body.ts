import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { MAX_PACKED_BYTES, MAX_UNPACKED_BYTES } from '@throughline/contract';
import { giveBack } from '../../platform/give-back.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { ByteShare } from './byte-budget.ts';

type Unpack = (
  packed: Buffer,
  limit: { readonly maxOutputLength: number; readonly chunkSize: number },
) => Promise<Buffer>;

const gzip: Unpack = promisify(gunzip);
const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip,
  'x-gzip': gzip,
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** Traces unpack to about this many times their size. */
const USUAL_RATIO = 15;
/** Room for a small body, whatever its ratio. */
const LEAST_ROOM_BYTES = 8 * 1024;
/** One that turns out larger is unpacked anew with so many times the room: all tries before cost a third of the last at most. */
const MORE_ROOM = 4;
/** With zlib's own 16 kB, going from one piece to the next cost as much as the unpacking. */
const CHUNK_BYTES = 512 * 1024;
const GZIP_MAGIC = 0x1f8b;
/** Its header and its trailer. */
const GZIP_FRAME_BYTES = 18;

/** A request's headers and its body, still to be read. */
export interface SentMessage {
  readonly headers: IncomingMessage['headers'];
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<unknown>;
}

/** What the headers promise of a body, checked before a byte of it is read. */
export interface BodyPlan {
  readonly unpack: Unpack | undefined;
  readonly packedBytes: number | undefined;
}

/** @throws AppError `unsupported_media_type`, `payload_too_large` */
export function planBody<Type extends string>(
  headers: IncomingMessage['headers'],
  contentTypes: readonly Type[],
): BodyPlan & { readonly contentType: Type } {
  const contentType = contentTypes.find((type) => type === contentTypeOf(headers));
  if (contentType === undefined) {
    throw new AppError('unsupported_media_type', `Send ${contentTypes.join(' or ')}.`);
  }
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const unpack = encoding === 'identity' ? undefined : UNPACK[encoding];
  if (encoding !== 'identity' && unpack === undefined) {
    throw new AppError('unsupported_media_type', 'The content-encoding must be gzip, br or zstd, or absent.');
  }
  const length = headers['content-length'];
  const packedBytes = length === undefined ? undefined : Number(length);
  if (packedBytes !== undefined && packedBytes > MAX_PACKED_BYTES) throw tooLarge();
  return { contentType, unpack, packedBytes };
}

/** In lower case and without parameters; empty where none is given. */
export function contentTypeOf(headers: IncomingMessage['headers']): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/**
 * Reads and unpacks a body, within the limits and within the share.
 * @throws AppError `payload_too_large`, `invalid_encoding`, `invalid_json` (cut off), `overloaded`
 */
export async function receiveBody(message: SentMessage, plan: BodyPlan, share: ByteShare): Promise<Buffer> {
  const packed = await readPacked(message, plan, share);
  if (plan.unpack === undefined) return packed;
  // Taken before it is filled, so that what unpacks to a thousand times its size finds no more room than there is.
  let room = Math.min(Math.max(packed.length * USUAL_RATIO, LEAST_ROOM_BYTES), MAX_UNPACKED_BYTES);
  share.take(room);
  for (;;) {
    const bytes = await unpackWithin(plan.unpack, packed, room);
    if (bytes !== undefined) {
      giveBack(packed);
      share.settle(bytes.length);
      return bytes;
    }
    if (room === MAX_UNPACKED_BYTES) throw tooLarge();
    const more = Math.min(room * MORE_ROOM, MAX_UNPACKED_BYTES);
    share.take(more - room);
    room = more;
  }
}

async function readPacked(message: SentMessage, plan: BodyPlan, share: ByteShare): Promise<Buffer> {
  if (plan.packedBytes !== undefined) share.take(plan.packedBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // A refusal in between must still find a socket to be sent on.
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('a body arrived decoded');
      if (plan.packedBytes === undefined) share.take(chunk.length);
      chunks.push(chunk);
      length += chunk.length;
      // An unpacked body may be as large as a packed one: the limit is on what travels.
      if (length > MAX_PACKED_BYTES) throw tooLarge();
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid_json', 'The body was cut off.', { cause });
  }
  return Buffer.concat(chunks);
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
 * gzip's last four bytes are the size of what was packed (RFC 1952). Where that can be, it is unpacked into one piece, which then need not be put
 * together from several; where it is not true, several are made after all.
 */
function chunkBytes(packed: Buffer): number {
  const isGzip = packed.length > GZIP_FRAME_BYTES && packed.readUInt16BE(0) === GZIP_MAGIC;
  const size = isGzip ? packed.readUInt32LE(packed.length - 4) : 0;
  const likely = size > CHUNK_BYTES && size <= Math.min(packed.length * USUAL_RATIO, MAX_UNPACKED_BYTES);
  // A piece that is filled to its end makes zlib begin another one.
  return likely ? size + 1 : CHUNK_BYTES;
}

function tooLarge(): AppError {
  return new AppError(
    'payload_too_large',
    'Send at most 8 MB at a time, and at most 64 MB when unpacked.',
    // The rest of the body is not read, so this connection can carry no further request.
    { headers: { connection: 'close' } },
  );
}
