const PLACES = 4096;
/** Of a longer one, comparing its bytes costs as much as making it anew. */
const LONGEST = 48;

/**
 * Short texts by their bytes. Names, and many values, are the same in every span: making each anew took a tenth of reading a batch, and looking things
 * up by texts that are known already is quicker, too. A text gives way to another one that belongs in its place.
 */
export class KnownTexts {
  readonly #texts: string[] = Array.from({ length: PLACES }, () => '');
  /** By the place of a name, that of the name that came behind it. */
  readonly #next = new Uint16Array(PLACES);
  /** Where the last text is, or would be. */
  #place = 0;
  /** Where the last name is. */
  #lastName = 0;

  /** The text of these bytes, as `make` makes it. */
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
    // Only of ASCII a character is a byte.
    if (text.length === end - start) this.#texts[place] = text;
    return text;
  }

  /** {@link of} for names, which one span after another has in the same order: the one that came behind the last name is tried first. */
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
