import { createRequire } from 'node:module';
import type { SourceMapSegment, TraceMap } from '@jridgewell/trace-mapping';

const load = createRequire(import.meta.url);

/**
 * Matches the names that Parcel gives to variables at the top level of a module: `$0a339ca52e0451c9$export$3ee29d34e33d9116`,
 * `$5d6f…$var$total`.
 */
const HOISTED = /\$(?:[\da-f]{16}\$|[\dA-Za-z]{5}\$(?=\w))/;

/** True if the text contains a name that Parcel made. */
export function hasHoistedNames(text: string): boolean {
  return HOISTED.test(text);
}

/** Matches the beginning of a declaration, up to and including the declared name. */
const DECLARATION =
  /^(?:(?:export|default|declare|abstract|async|const|enum|class|function|let|var)\b[\s*]*)*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u;
const MAX_DECLARATION = 200;
const MAX_NAME = 30;

/**
 * Finds the author's names in the source texts that a source map contains. The map's list of names cannot be used: a bundler that renames,
 * and then minifies, writes its own names into the list, and a bundler that does not minify writes no names.
 */
export class AuthorsTexts {
  readonly #map: TraceMap;
  /** The lines of each source, split when first needed. */
  readonly #lines = new Map<number, readonly string[]>();

  constructor(map: TraceMap) {
    this.#map = map;
  }

  /**
   * Returns the author's name in place of a name that Parcel made; undefined if the author's source has no declaration at the segment's
   * position. For other names, returns `own`, the name that the map contains for the segment.
   */
  authorsName(
    own: string | undefined,
    source: string,
    offset: number,
    segment: Exclude<SourceMapSegment, [number]>,
  ): string | undefined {
    const name = own ?? (source.startsWith('$', offset) ? source.slice(offset, offset + MAX_NAME) : '');
    if (!name.startsWith('$') || HOISTED.exec(name)?.index !== 0) return own;
    const [, index, line, column] = segment;
    const text = this.#linesOf(index)[line]?.slice(column, column + MAX_DECLARATION);
    return text === undefined ? undefined : DECLARATION.exec(text)?.[1];
  }

  #linesOf(index: number): readonly string[] {
    let lines = this.#lines.get(index);
    if (lines === undefined) {
      const name = this.#map.sources[index];
      const mapping: typeof import('@jridgewell/trace-mapping') = load('@jridgewell/trace-mapping');
      const text = name == null ? null : mapping.sourceContentFor(this.#map, name);
      lines = text?.split('\n') ?? [];
      this.#lines.set(index, lines);
    }
    return lines;
  }
}
