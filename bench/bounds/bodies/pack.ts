import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Pieces } from './pieces.ts';

export type Encoding = 'gzip' | 'br' | 'zstd' | 'identity';

/** Fast compression level, which is enough for repetitive bodies. */
const QUALITY = 5;

const PACKERS: Readonly<Record<Exclude<Encoding, 'identity'>, () => Transform>> = {
  gzip: () => createGzip({ level: QUALITY }),
  br: () =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  zstd: () => createZstdCompress(),
};

/** Compresses a body with the given encoding. */
export async function pack(pieces: Pieces, encoding: Encoding): Promise<Buffer> {
  const source = Readable.from(pieces.chunks(), { objectMode: false });
  if (encoding === 'identity') return buffer(source);
  const packer = PACKERS[encoding]();
  source.pipe(packer);
  return buffer(packer);
}
