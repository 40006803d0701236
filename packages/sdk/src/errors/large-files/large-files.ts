import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from '../../internal/timers.ts';
import { type ScannedFile, scanFile } from './scan-file.ts';

/** Maximum number of files that are scanned. A stack is arbitrary text and can name any file. */
const MAX_FILES = 16;
/** Maximum memory for the source maps of all scanned files together. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Duration in ms of each pause between two parts of a scan. The host's code can run during a pause. */
const PAUSE_MS = 1;

export interface LargeFile {
  readonly path: string;
  /** Null until the scan has found a source map. */
  found: ScannedFile | null;
}

/**
 * Files that are too large to be read as a whole. They are scanned one after the other, in the background. A scan never keeps the process
 * alive, and belongs to no request.
 */
export class LargeFiles {
  readonly #files = new Map<string, LargeFile>();
  readonly #waiting: LargeFile[] = [];
  #bytes = 0;
  #isScanning = false;
  readonly #outside = AsyncLocalStorage.snapshot();

  get(path: string): LargeFile | undefined {
    return this.#files.get(path);
  }

  /** Starts to scan a file, unless the scan was started before or there are too many files. */
  start(path: string): LargeFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const file: LargeFile = { path, found: null };
    if (this.#files.size >= MAX_FILES) return file;
    this.#files.set(path, file);
    this.#waiting.push(file);
    if (!this.#isScanning) {
      this.#isScanning = true;
      this.#outside(() => void this.#scanAll());
    }
    return file;
  }

  async #scanAll(): Promise<void> {
    for (let file = this.#waiting.shift(); file !== undefined; file = this.#waiting.shift())
      await this.#scan(file);
    this.#isScanning = false;
  }

  async #scan(file: LargeFile): Promise<void> {
    try {
      await pause();
      const found = await scanFile(file.path, pause);
      if (found === undefined || this.#bytes + found.map.bytes > MAX_BYTES) return;
      this.#bytes += found.map.bytes;
      file.found = found;
    } catch {
      // The frames of a file without a usable map keep their positions.
    }
  }
}

/** Waits without keeping the process alive. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS).unref();
  });
}
