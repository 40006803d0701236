const PLACES = 4096;
/** Maximum length of a cached string, in bytes. For longer strings, comparing the bytes takes as long as creating the string. */
const LONGEST = 48;

/**
 * Caches short strings by their bytes. Names and many values repeat in every span, and creating their strings each time took a tenth of the
 * time to read a batch. Reusing a string also makes later lookups by this string in maps faster. Each string has one possible index in the
 * cache, where it replaces the string that was there before.
 */
export class KnownTexts {
  readonly #texts: string[] = Array.from({ length: PLACES }, () => '');
  /** For each name's cache index, the cache index of the name that was read next. */
  readonly #next = new Uint16Array(PLACES);
  /** The cache index of the last string, whether or not the string was cached. */
  #place = 0;
  /** The cache index of the last name. */
  #lastName = 0;

  /** Returns the string of these bytes. If the string is not cached, `make` creates it. */
  of(
    bytes: Buffer,
    start: number,
    end: number,
    make: (bytes: Buffer, start: number, end: number) => string,
  ): string {
    if (end - start > LONGEST) return make(bytes, start, end);
    let hash = end - start;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
    this.#place = place;
    const known = this.#texts[place] ?? '';
    if (stands(known, bytes, start, end)) return known;
    const text = make(bytes, start, end);
    // Caches only ASCII strings, in which each character is one byte.
    if (text.length === end - start) this.#texts[place] = text;
    return text;
  }

  /**
   * Like {@link of}, but for names. Successive spans have the same names in the same order. Therefore first tries the name that came after
   * the previous name in an earlier span.
   */
  nameOf(
    bytes: Buffer,
    start: number,
    end: number,
    make: (bytes: Buffer, start: number, end: number) => string,
  ): string {
    const likely = this.#next[this.#lastName] ?? 0;
    const known = this.#texts[likely] ?? '';
    if (stands(known, bytes, start, end)) {
      this.#lastName = likely;
      return known;
    }
    const name = this.of(bytes, start, end, make);
    this.#next[this.#lastName] = this.#place;
    this.#lastName = this.#place;
    return name;
  }
}

function stands(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index++)
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  return true;
}
