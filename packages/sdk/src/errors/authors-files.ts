import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readMapJson, resolveSourcePath } from '../instrument/emit/source-map.ts';
import { entryCall } from '../internal/runtime-name.ts';
import { LineMap } from '../positions/line-map.ts';

interface MappedFile {
  readonly file: string;
  readonly map: LineMap;
  /** True if columns are exact. Code that was instrumented at load keeps its lines, but its columns are shifted to the right. */
  readonly exact: boolean;
}

/** Maximum size of a file whose stacks are mapped. Reading a bundle of this size with its map takes 0.2 s, once. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Maximum memory for the maps of all files. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 1000;
/** Only these files are read: a stack is arbitrary text and can name any path, such as a device or a pipe. */
const compiled = /\.[cm]?jsx?$/;
/** In a line longer than this, which is minified code, a shifted column does not identify the position. */
const LONG_LINE = 1000;

/**
 * Maps positions in files that were run to positions in the source files that their source maps name. Each file is read once, at first use.
 */
export class AuthorsFiles {
  readonly #files = new Map<string, MappedFile | null>();
  #bytes = 0;

  /**
   * Returns the author's file and line for a position; line and column count from 1. Undefined if no source map covers the position.
   * `named` is an absolute path or a file: URL.
   */
  placeOf(named: string, line: number, column: number): { file: string; line: number } | undefined {
    const mapped = this.#mapped(named);
    if (mapped === null || (!mapped.exact && column > LONG_LINE)) return undefined;
    try {
      const found = mapped.map.find(line, column - 1);
      return found && { file: resolveSourcePath(found.source, mapped.file), line: found.line };
    } catch {
      // A damaged map is detected only here, because maps are read lazily.
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
      // The file was generated in memory, or has been deleted since.
      return null;
    }
  }
}
