import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';

/** The build puts the packed file next to the built program. The file does not exist in the source tree. */
const SHIPPED = fileURLToPath(new URL('./empty-store.zst', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));

const LINE_END = 10;

/** The table of contents at the beginning of the packed file. The bytes of the files follow in the same order as in this table. */
const Contents = z.object({
  folders: z.array(z.string()),
  files: z.array(z.tuple([z.string(), z.number()])),
});
type Contents = z.output<typeof Contents>;

/**
 * A new PostgreSQL cluster has three databases with the same content. A compression window that spans all three databases detects the
 * repetition and reduces the file to a third.
 */
const PACKING = {
  [constants.ZSTD_c_compressionLevel]: 9,
  [constants.ZSTD_c_windowLog]: 26,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** Packs a closed PGlite folder that has all tables and no rows. Servers unpack the file at their first start. */
export function packFolder(folder: string, file: string): void {
  const contents: Contents = { folders: [], files: [] };
  const bytes: Buffer[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory()) {
      contents.folders.push(name);
      continue;
    }
    const read = readFileSync(path);
    contents.files.push([name, read.length]);
    bytes.push(read);
  }
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(contents)}\n`), ...bytes]);
  const packed = zstdCompressSync(whole, { params: PACKING });
  writeFileSync(file, Buffer.concat([Buffer.from(`${describeSources()}\n`), packed]));
}

/**
 * Creates the folder from the shipped file. Returns false and creates nothing if the file is missing, is damaged, or was built with another
 * version of PGlite or of the migrations. The caller must then create the folder from scratch.
 */
export function unpackShipped(folder: string, file = SHIPPED): boolean {
  try {
    const shipped = readFileSync(file);
    const end = shipped.indexOf(LINE_END);
    if (shipped.toString('latin1', 0, end) !== describeSources()) return false;
    write(folder, zstdDecompressSync(shipped.subarray(end + 1)));
    return true;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

function write(folder: string, whole: Buffer): void {
  let at = whole.indexOf(LINE_END) + 1;
  const { folders, files } = Contents.parse(JSON.parse(whole.toString('utf8', 0, at)));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of folders) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  for (const [name, size] of files) {
    writeFileSync(join(folder, name), whole.subarray(at, at + size), { mode: 0o600 });
    at += size;
  }
}

/** Returns an identifier of everything that determines the folder's content: the versions of PGlite and of the migrations. */
function describeSources(): string {
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest: unknown = JSON.parse(readFileSync(join(dirname(pglite), '..', 'package.json'), 'utf8'));
  const hash = createHash('sha256').update(z.object({ version: z.string() }).parse(manifest).version);
  for (const name of readdirSync(MIGRATIONS).sort()) {
    if (name.endsWith('.sql')) hash.update(`\0${name}\0`).update(readFileSync(join(MIGRATIONS, name)));
  }
  return hash.digest('hex');
}
