import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { monotonicMs } from '../../internal/timers.ts';
import type { ByteRange } from '../../positions/large-maps/bundle-scanner.ts';
import { cutBytes } from '../../positions/large-maps/cut-bytes.ts';

/** Maximum number of bytes that are read and scanned in one turn of the event loop. */
const CHUNK_BYTES = 128 * 1024;
/** Number of bytes that are scanned between two readings of the clock. */
const SLICE_BYTES = 16 * 1024;
/**
 * Time in ms after which a turn of the event loop ends, even within a chunk. Until V8 has optimized the scanning code, a chunk takes longer
 * than this.
 */
const TURN_MS = 1;
/** Maximum size of a scanned file. Node cannot load a larger one as code. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** The properties of a file that change if the file is replaced or written. */
type FileVersion = Pick<Stats, 'ino' | 'size' | 'mtimeMs'>;

/** A file that is read in chunks, with pauses in which the host runs. */
export class OpenFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #version: FileVersion;
  readonly #pause: () => Promise<void>;

  private constructor(path: string, handle: FileHandle, version: FileVersion, pause: () => Promise<void>) {
    this.#path = path;
    this.#handle = handle;
    this.#version = version;
    this.#pause = pause;
  }

  /** Opens a file, runs `use` and closes the file. @throws if it is no regular file, is too large, or was changed during `use` */
  static async use<T>(
    path: string,
    pause: () => Promise<void>,
    use: (file: OpenFile) => Promise<T>,
  ): Promise<T> {
    const version = await stat(path);
    if (!version.isFile() || version.size > MAX_BYTES)
      throw new Error('it is not a file that can be scanned');
    const handle = await open(path);
    try {
      const result = await use(new OpenFile(path, handle, version, pause));
      if (!isSameVersion(await stat(path), version)) throw new Error('the file was changed');
      return result;
    } finally {
      await handle.close();
    }
  }

  get size(): number {
    return this.#version.size;
  }

  /** Passes the bytes of a range to `visit`, in slices that are valid only during the call. */
  async scan({ start, end }: ByteRange, visit: (chunk: Buffer) => void): Promise<void> {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - start));
    for (let at = start; at < end; ) {
      const { bytesRead } = await this.#handle.read(chunk, 0, Math.min(CHUNK_BYTES, end - at), at);
      if (bytesRead === 0) throw new Error('the file was truncated');
      await this.#visit(chunk.subarray(0, bytesRead), visit);
      at += bytesRead;
    }
  }

  async #visit(chunk: Buffer, visit: (slice: Buffer) => void): Promise<void> {
    let sinceMs = monotonicMs();
    for (const slice of cutBytes(chunk, SLICE_BYTES)) {
      visit(slice);
      if (monotonicMs() - sinceMs < TURN_MS) continue;
      await this.#pause();
      sinceMs = monotonicMs();
    }
    await this.#pause();
  }

  async readText({ start, end }: ByteRange): Promise<string> {
    const bytes = Buffer.alloc(end - start);
    await this.#handle.read(bytes, 0, end - start, start);
    return bytes.toString('utf8');
  }

  /** Reads a range synchronously, after the file was closed. @throws if the file was replaced or changed */
  readonly readAgain = ({ start, end }: ByteRange): Buffer => {
    if (!isSameVersion(statSync(this.#path), this.#version)) throw new Error('the file was changed');
    const bytes = Buffer.alloc(end - start);
    const opened = openSync(this.#path, 'r');
    try {
      if (readSync(opened, bytes, 0, end - start, start) < end - start)
        throw new Error('the file was truncated');
      return bytes;
    } finally {
      closeSync(opened);
    }
  };
}

function isSameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
