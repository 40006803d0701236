import { MappingsIndex } from './mappings-index.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_SOURCES = 200_000;
/** Maximum memory for the names of the sources, in bytes. */
const MAX_SOURCE_BYTES = 8 * 1024 * 1024;
/** Maximum length of a name in bytes. The positions in a source with a longer name, such as a data URL, are not mapped. */
const MAX_NAME_BYTES = 4096;
/** Memory in bytes that a string takes in addition to its characters. */
const STRING_BYTES = 32;

/** The meaning of a string in the map: a key or a value of the map's object, or an item of `sources`. */
type Role = 'key' | 'source' | 'root' | 'other';

/**
 * Reads the JSON of a source map in chunks of any length, and keeps only the names of the sources and an index of the mappings. Texts of
 * sources are skipped without building strings. Of the JSON's syntax, only strings and the parts that are kept are checked.
 */
export class MapScanner {
  readonly mappings = new MappingsIndex();
  readonly sources: (string | null)[] = [];
  sourceRoot = '';
  /** Offset of the first byte of the mappings. */
  mappingsStart = -1;

  /** Number of bytes before this chunk. */
  #offset = 0;
  #state: 'syntax' | 'string' | 'mappings' = 'syntax';
  #depth = 0;
  #isOver = false;
  /** The key in the map's object whose value is being read. Undefined if a key is expected. */
  #key: string | undefined;
  #hasSources = false;
  #sourceBytes = 0;

  #role: Role = 'other';
  readonly #text = Buffer.alloc(MAX_NAME_BYTES);
  /** Length of the string that is being read, in bytes. If it exceeds {@link MAX_NAME_BYTES}, the string is not kept. */
  #textBytes = 0;
  #hasEscapes = false;
  /** True if the chunk ended after a backslash. */
  #isEscaped = false;

  /** Maximum number of bytes of memory that the index and the names use. */
  get bytes(): number {
    return this.mappings.bytes + this.#sourceBytes;
  }

  /** @throws SyntaxError, RangeError if the bytes are no source map, or a damaged one, or exceed a limit */
  add(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'string') at = this.#addString(bytes, at);
      else if (this.#state === 'mappings') at = this.#addMappings(bytes, at);
      else {
        this.#addSyntax(bytes[at] ?? 0, at);
        at += 1;
      }
    }
    this.#offset += bytes.length;
  }

  /** Called after the last chunk. @throws SyntaxError if the map is incomplete */
  end(): void {
    if (!this.#isOver || !this.mappings.isOver || !this.#hasSources) refuse();
  }

  #addMappings(bytes: Buffer, start: number): number {
    const at = this.mappings.add(bytes, start);
    if (this.mappings.isOver) this.#state = 'syntax';
    return at;
  }

  #addString(bytes: Buffer, start: number): number {
    let at = this.#isEscaped ? start + 1 : start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) continue;
      this.#hasEscapes = true;
      at += 1;
    }
    this.#isEscaped = at > bytes.length;
    const end = Math.min(at, bytes.length);
    if (this.#role !== 'other') this.#keepText(bytes, start, end);
    if (end === bytes.length) return end;
    this.#state = 'syntax';
    if (this.#role !== 'other') this.#endText(this.#role);
    return end + 1;
  }

  #keepText(bytes: Buffer, start: number, end: number): void {
    if (this.#textBytes + end - start <= MAX_NAME_BYTES) bytes.copy(this.#text, this.#textBytes, start, end);
    this.#textBytes += end - start;
  }

  #endText(role: Exclude<Role, 'other'>): void {
    const text = this.#readText();
    if (role === 'key') this.#key = text ?? '';
    else if (role === 'root') this.sourceRoot = text ?? refuse();
    else this.#addSource(text);
  }

  #readText(): string | null {
    if (this.#textBytes > MAX_NAME_BYTES) return null;
    const text = this.#text.toString('utf8', 0, this.#textBytes);
    if (!this.#hasEscapes) return text;
    const parsed: unknown = JSON.parse(`"${text}"`);
    return String(parsed);
  }

  #addSource(name: string | null): void {
    this.sources.push(name);
    this.#sourceBytes += STRING_BYTES + 2 * (name?.length ?? 0);
    if (this.sources.length > MAX_SOURCES || this.#sourceBytes > MAX_SOURCE_BYTES)
      throw new RangeError('the map has too many sources');
  }

  /** Reads a byte outside of strings. `at` is its offset in the chunk. */
  #addSyntax(byte: number, at: number): void {
    const character = String.fromCharCode(byte);
    if (character === ' ' || character === '\t' || character === '\n' || character === '\r') return;
    if (this.#isOver) refuse();
    if (character === '"') this.#beginString(at);
    else if (character === '{' || character === '[') this.#open(character);
    else if (character === '}' || character === ']') this.#close();
    else if (this.#depth === 0) refuse();
    else if (character === ',') {
      if (this.#depth === 1) this.#key = undefined;
    } else if (character !== ':') this.#addLiteral(character);
  }

  #beginString(at: number): void {
    this.#state = 'string';
    this.#role = 'other';
    this.#textBytes = 0;
    this.#hasEscapes = false;
    if (this.#depth === 0) refuse();
    if (this.#depth === 1 && this.#key === undefined) this.#role = 'key';
    else if (this.#depth === 1 && this.#key === 'sourceRoot') this.#role = 'root';
    else if (this.#depth === 1 && this.#key === 'mappings') {
      if (this.mappingsStart >= 0) refuse();
      this.#state = 'mappings';
      this.mappingsStart = this.#offset + at + 1;
    } else if (this.#key === 'sources') {
      if (this.#depth === 1) refuse();
      this.#role = 'source';
    }
  }

  #open(character: string): void {
    if (this.#depth === 0 && character !== '{') refuse();
    if (this.#depth === 1) {
      if (this.#key === 'sources') {
        if (character !== '[' || this.#hasSources) refuse();
        this.#hasSources = true;
      } else if (this.#key === undefined || this.#key === 'mappings' || this.#key === 'sections') refuse();
    } else if (this.#key === 'sources') refuse();
    this.#depth += 1;
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth < 0) refuse();
    this.#isOver = this.#depth === 0;
  }

  /** Adds a character of a number, of `true`, `false` or `null`. */
  #addLiteral(character: string): void {
    if (!/[-+.0-9a-zA-Z]/.test(character) || this.#key === undefined || this.#key === 'mappings') refuse();
    if (this.#key !== 'sources') return;
    // A source without a name is `null`.
    if (this.#depth === 1 || !/[nul]/.test(character)) refuse();
    if (character === 'n') this.#addSource(null);
  }
}

function refuse(): never {
  throw new SyntaxError('it is not a source map');
}
