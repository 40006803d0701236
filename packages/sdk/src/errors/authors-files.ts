import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TraceMap } from '@jridgewell/trace-mapping';
import { authorsPlace, inputMap } from '../instrument/source-map.ts';
import { entryCall } from '../record/runtime-name.ts';

interface MappedFile {
  readonly file: string;
  readonly map: TraceMap;
  /** Whether columns are those of the file: what is instrumented as it is loaded has its lines, and columns further right. */
  readonly exact: boolean;
}

/** A map costs some milliseconds to read and ten times its size to keep; errors of very large files keep their places. */
const MOST_BYTES = 1024 * 1024;
const MOST_BYTES_TOGETHER = 8 * MOST_BYTES;
const MOST_FILES = 1000;
/** A stack is a text, which may name anything: a device, a pipe. */
const compiled = /\.[cm]?jsx?$/;
/** Code on such a line was packed: which of its many places is meant, a shifted column cannot tell. */
const LONG_LINE = 1000;

/** Which of the files that run were made from others, as their source maps say. Reads each file once, when it is first asked for. */
export class AuthorsFiles {
  readonly #files = new Map<string, MappedFile | null>();
  #bytes = 0;

  /**
   * Where in the author's files a place comes from, both counted from 1; undefined where nothing says so. `named` is a whole path or a file: URL.
   */
  placeOf(named: string, line: number, column: number): { file: string; line: number } | undefined {
    const mapped = this.#mapped(named);
    if (mapped === null || (!mapped.exact && column > LONG_LINE)) return undefined;
    try {
      return authorsPlace(mapped.map, mapped.file, line, column - 1);
    } catch {
      // A map is only read through now, or the stack names a line 0.
      return undefined;
    }
  }

  #mapped(named: string): MappedFile | null {
    const known = this.#files.get(named);
    if (known !== undefined) return known;
    if (this.#files.size >= MOST_FILES) {
      this.#files.clear();
      this.#bytes = 0;
    }
    const read = compiled.test(named) ? this.#read(named) : null;
    this.#files.set(named, read);
    return read;
  }

  #read(named: string): MappedFile | null {
    try {
      const file = named.startsWith('file:') ? fileURLToPath(named) : named;
      const status = statSync(file);
      const { size } = status;
      if (!status.isFile() || size > MOST_BYTES || this.#bytes + size > MOST_BYTES_TOGETHER) return null;
      const source = readFileSync(file, 'utf8');
      const map = inputMap(source, file);
      if (map === undefined) return null;
      this.#bytes += size;
      return { file, map, exact: source.includes(entryCall) };
    } catch {
      // Made in memory, or gone since.
      return null;
    }
  }
}
