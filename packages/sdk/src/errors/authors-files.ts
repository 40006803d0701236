import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findMapUrl, isTooLarge, readMapAt, resolveSourcePath } from '../instrument/emit/source-map.ts';
import { entryCall } from '../internal/runtime-name.ts';
import { LineMap, type SourceLine } from '../positions/line-map.ts';
import { LargeFiles } from './large-files/large-files.ts';

interface MappedFile {
  readonly map: { find(line: number, column: number): SourceLine | undefined };
  /**
   * True if columns are known to be exact. Code that was instrumented at load keeps its lines, but its columns are shifted to the right.
   */
  readonly exact: boolean;
}

/** A file in a stack. */
interface NamedFile {
  readonly path: string;
  /** Null if the file has no source map, or if its map exceeds the memory limit. Also null while a large file is still being scanned. */
  readonly found: MappedFile | null;
}

/** Maximum memory for the source maps of files that are read as a whole. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 1000;
const NO_FILE: NamedFile = { path: '', found: null };
/** Matches the names of files that may be read. A stack is arbitrary text and can name any path, such as a device or a pipe. */
const compiled = /\.[cm]?jsx?$/;
/**
 * Column beyond which only minified code has text. There, a shifted column can belong to another line of the source file, so inexact
 * columns beyond this one are not mapped.
 */
const LONG_LINE = 1000;

/**
 * Maps positions in files that were run to positions in the source files that their source maps name. Each file is read once, at first use.
 * If the file or its map is too large to be read as a whole, both are scanned in the background. Positions in the file are not mapped until
 * the scan has ended.
 */
export class AuthorsFiles {
  readonly #files = new Map<string, NamedFile>();
  readonly #large = new LargeFiles();
  #bytes = 0;

  /** Starts to scan a file if the file or the map beside it is too large to be read as a whole. */
  prepare(path: string): void {
    try {
      if (isTooLarge(path) || isTooLarge(`${path}.map`)) this.#large.start(path);
    } catch {
      // Reading the size fails if `path` is not the path of a file, because code can also come from elsewhere.
    }
  }

  /**
   * Returns the author's file and line for a position; line and column count from 1. Undefined if no source map covers the position.
   * `named` is an absolute path or a file: URL.
   */
  placeOf(named: string, line: number, column: number): { file: string; line: number } | undefined {
    const { path, found } = this.#find(named);
    if (found === null || (!found.exact && column > LONG_LINE)) return undefined;
    try {
      const place = found.map.find(line, column - 1);
      return place && { file: resolveSourcePath(place.source, path), line: place.line };
    } catch {
      // A damaged map is detected only here, because maps are read lazily.
      return undefined;
    }
  }

  #find(named: string): NamedFile {
    const known = this.#files.get(named);
    if (known !== undefined) return known;
    if (this.#files.size >= MAX_FILES) {
      this.#files.clear();
      this.#bytes = 0;
    }
    const read = compiled.test(named) ? this.#read(named) : NO_FILE;
    this.#files.set(named, read);
    return read;
  }

  #read(named: string): NamedFile {
    try {
      const path = named.startsWith('file:') ? fileURLToPath(named) : named;
      return this.#large.get(path) ?? this.#readWhole(path) ?? this.#large.start(path);
    } catch {
      // The file was generated in memory, or has been deleted since.
      return NO_FILE;
    }
  }

  /** Returns undefined if the file or its map is too large to be read as a whole. */
  #readWhole(path: string): NamedFile | undefined {
    if (!statSync(path).isFile()) return NO_FILE;
    if (isTooLarge(path)) return undefined;
    if (this.#bytes >= MAX_KEPT_BYTES) return NO_FILE;
    const source = readFileSync(path, 'utf8');
    const url = findMapUrl(source);
    if (url === undefined) return NO_FILE;
    const json = readMapAt(url, path);
    if (json === undefined) return undefined;
    const map = new LineMap(json);
    if (this.#bytes + map.bytes > MAX_KEPT_BYTES) return NO_FILE;
    this.#bytes += map.bytes;
    return { path, found: { map, exact: source.includes(entryCall) } };
  }
}
