import { readFileSync, statSync } from 'node:fs';
import type { TraceMap } from '@jridgewell/trace-mapping';
import { authorsPlace, inputMap } from '../instrument/source-map.ts';
import { entryCall } from '../record/runtime-name.ts';

interface MappedFile {
  readonly map: TraceMap;
  /** Whether columns are those of the file: what is instrumented as it is loaded has its lines, and columns further right. */
  readonly exact: boolean;
}

/** A map costs some milliseconds to read and ten times its size to keep; errors of very large files keep their places. */
const MOST_BYTES = 1024 * 1024;
const MOST_BYTES_TOGETHER = 8 * MOST_BYTES;
const MOST_FILES = 1000;
/** Code on such a line was packed: which of its many places is meant, a shifted column cannot tell. */
const LONG_LINE = 1000;

/** Which of the files that run were made from others, as their source maps say. Reads each file once, when it is first asked for. */
export class AuthorsFiles {
  readonly #files = new Map<string, MappedFile | null>();
  #bytes = 0;

  /** Where in the author's files this place comes from, both counted from 1; undefined where nothing says so. */
  placeOf(file: string, line: number, column: number): { file: string; line: number } | undefined {
    const mapped = this.#mapped(file);
    if (mapped === null || (!mapped.exact && column > LONG_LINE)) return undefined;
    return authorsPlace(mapped.map, file, line, column - 1);
  }

  #mapped(file: string): MappedFile | null {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    if (this.#files.size >= MOST_FILES) return null;
    const read = this.#read(file);
    this.#files.set(file, read);
    return read;
  }

  #read(file: string): MappedFile | null {
    try {
      const { size } = statSync(file);
      if (size > MOST_BYTES || this.#bytes + size > MOST_BYTES_TOGETHER) return null;
      const source = readFileSync(file, 'utf8');
      const map = inputMap(source, file);
      if (map === undefined) return null;
      this.#bytes += size;
      return { map, exact: source.includes(entryCall) };
    } catch {
      // Made in memory, or gone since.
      return null;
    }
  }
}
