import { type SourceLine, toPrefix } from '../line-map.ts';
import { MappingReader } from '../mapping-reader.ts';
import type { ByteRange } from './bundle-scanner.ts';
import type { MapScanner } from './map-scanner.ts';
import type { MappingsIndex } from './mappings-index.ts';

/** Maximum number of cached lookups. If an error is thrown often, its stack has the same positions each time. */
const MAX_FOUND = 1000;

/** The part of a file that contains a map's JSON. */
export interface StoredJson {
  /** Offset in the file. */
  readonly start: number;
  readonly isBase64: boolean;
  /** Reads a part of the file. @throws if the file has changed */
  read(range: ByteRange): Buffer;
}

/** A source map that stays on disk. Each lookup reads a few kB. */
export class StoredMap {
  readonly #json: StoredJson;
  readonly #mappings: MappingsIndex;
  readonly #mappingsStart: number;
  readonly #sources: readonly (string | null)[];
  readonly #root: string;
  readonly #found = new Map<string, SourceLine | undefined>();
  /** Maximum number of bytes of memory that the map uses. */
  readonly bytes: number;

  constructor(scanned: MapScanner, json: StoredJson) {
    this.#json = json;
    this.#mappings = scanned.mappings;
    this.#mappingsStart = scanned.mappingsStart;
    this.#sources = scanned.sources;
    this.#root = toPrefix(scanned.sourceRoot);
    this.bytes = scanned.bytes;
  }

  /**
   * Returns the source position for a position in the generated file. `line` counts from 1, `column` from 0.
   * @throws if the file with the map has changed
   */
  find(line: number, column: number): SourceLine | undefined {
    if (!(line >= 1) || !(column >= 0)) return undefined;
    const key = `${line}:${column}`;
    if (this.#found.has(key)) return this.#found.get(key);
    const found = this.#find(line - 1, column);
    if (this.#found.size >= MAX_FOUND) this.#found.clear();
    this.#found.set(key, found);
    return found;
  }

  #find(line: number, column: number): SourceLine | undefined {
    const piece = this.#mappings.find(line, column);
    const bytes = this.#read(this.#mappingsStart + piece.from, this.#mappingsStart + piece.to);
    const found = new MappingReader(bytes, piece.start).find(line - piece.line, column);
    const name = found && this.#sources[found.source];
    if (found === undefined || typeof name !== 'string') return undefined;
    return { source: this.#root + name, line: found.line + 1 };
  }

  /**
   * Reads a part of the JSON. Base64 is read in groups of four digits. The last group is complete, because the JSON has at least two more
   * bytes after `to`.
   */
  #read(from: number, to: number): Buffer {
    const { start, isBase64 } = this.#json;
    if (!isBase64) return this.#json.read({ start: start + from, end: start + to });
    const first = Math.floor(from / 3);
    const digits = this.#json.read({ start: start + first * 4, end: start + Math.ceil(to / 3) * 4 });
    return Buffer.from(digits.toString('latin1'), 'base64').subarray(from - first * 3, to - first * 3);
  }
}
