import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Files that the browser can receive compressed. Images such as PNG are compressed already. */
const TEXT = /\.(css|html|js|json|svg|txt|webmanifest)$/;
/** Smaller files are not compressed, because they fit into one network packet. */
const MIN_BYTES = 1024;
/** Brotli's quality 11 would save another 3 % of the bytes, but the compression would take 8 s. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

/**
 * Writes a `.br` and a `.gz` file next to each text file of the build that has at least `MIN_BYTES`. The server sends the compressed files,
 * so that it need not compress a file for each response.
 */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
      await Promise.all(paths.filter((path) => TEXT.test(path)).map(packFile));
    },
  };
}

async function packFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_BYTES) return;
  await Promise.all([
    packBrotli(bytes, BROTLI).then((packed) => writeFile(`${path}.br`, packed)),
    packGzip(bytes, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
  ]);
}
