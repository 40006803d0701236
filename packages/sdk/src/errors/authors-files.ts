import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readMapJson, sourcePath } from '../instrument/emit/source-map.ts';
import { entryCall } from '../record/capture/runtime-name.ts';
import { LineMap } from './line-map.ts';

interface MappedFile {
  readonly file: string;
  readonly map: LineMap;
  /** True if columns are exact: code that was instrumented while loading keeps its lines, but its columns are further right. */
  readonly exact: boolean;
}

/** A bundle of this size takes 0.2 s to read with its map, once; errors of larger files keep their places. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** The memory that the maps of all files may take. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 1000;
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
      const found = mapped.map.find(line, column - 1);
      return found && { file: sourcePath(found.source, mapped.file), line: found.line };
    } catch {
      // A map is only read through now.
      return undefined;
    }
  }

  #mapped(named: string): MappedFile | null {
    const known = this.#files.get(named);
    if (known !== undefined) return known;
    if (this.#files.size >= MAX_FILES) {
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
      if (!status.isFile() || status.size > MAX_FILE_BYTES || this.#bytes >= MAX_KEPT_BYTES) return null;
      const source = readFileSync(file, 'utf8');
      const json = readMapJson(source, file);
      if (json === undefined) return null;
      const map = new LineMap(json);
      if (this.#bytes + map.bytes > MAX_KEPT_BYTES) return null;
      this.#bytes += map.bytes;
      return { file, map, exact: source.includes(entryCall) };
    } catch {
      // Made in memory, or gone since.
      return null;
    }
  }
}
