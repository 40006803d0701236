import { randomBytes } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { withOutputs } from '../bodies/native-json.ts';
import { pack } from '../bodies/pack.ts';
import { fill, join, repeat } from '../bodies/pieces.ts';
import type { HostileForm } from '../form.ts';
import { posted } from '../posted-forms.ts';

const MB = 1024 * 1024;
const PACKED_BYTES = 7.9 * MB;
const native = posted.bind(undefined, 'native JSON');

/** Repeats a buffer up to the maximum compressed size of a body. */
function again(part: Buffer): Buffer {
  return Buffer.alloc(part.length * Math.floor(PACKED_BYTES / part.length), part);
}

/** Bodies whose compression is the attack. */
export const PACKING: readonly HostileForm[] = [
  native('gigabytes of zeros in members of gzip', () => again(gzipSync(Buffer.alloc(64 * MB)))),
  native('a member of gzip that is a gigabyte', () => pack(repeat(Buffer.alloc(MB), 1024), 'gzip')),
  native('400,000 empty members of gzip', () => again(gzipSync(''))),
  native('a gigabyte of zeros', () => pack(repeat(Buffer.alloc(MB), 1024), 'br'), 'br'),
  native('a gigabyte of zeros', () => pack(repeat(Buffer.alloc(MB), 1024), 'zstd'), 'zstd'),
  native('900,000 empty frames of zstd', () => again(zstdCompressSync(Buffer.alloc(0))), 'zstd'),
  native('8 MB that are not packed', () => randomBytes(PACKED_BYTES)),
  native('8 MB that are not packed', () => randomBytes(PACKED_BYTES), 'br'),
  native('60 MB packed and cut off', async () => {
    const whole = await pack(withOutputs(join('"', fill('a'), '"')), 'gzip');
    return whole.subarray(0, whole.length - 20);
  }),
  native('packed twice', () => gzipSync(gzipSync(Buffer.alloc(60 * MB, 32)))),
];
