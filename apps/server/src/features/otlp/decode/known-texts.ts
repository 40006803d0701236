const PLACES = 4096;
/** For longer texts, comparing the bytes costs as much as creating the text. */
const LONGEST = 48;

/**
 * Caches short texts by their bytes. Names and many values repeat in every span: creating them each time took a tenth of reading a batch, and lookups
 * are faster with texts that already exist. A new text replaces the one in its place.
 */
export class KnownTexts {
  readonly #texts: string[] = Array.from({ length: PLACES }, () => '');
  /** By the place of a name, the place of the name that followed it. */
  readonly #next = new Uint16Array(PLACES);
  /** The place of the last text, whether it was cached or not. */
  #place = 0;
  /** The place of the last name. */
  #lastName = 0;

  /** Returns the text of these bytes, created by `make` if it is not cached. */
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
    // Only in ASCII text is each character one byte.
    if (text.length === end - start) this.#texts[place] = text;
    return text;
  }

  /**
   * Like {@link of}, but for names. Successive spans have the same names in the same order, so the name that followed the last one is tried
   * first.
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
