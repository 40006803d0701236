/** Number of slots in the cache. The slot of a text depends on the text's length and some of its characters. */
const PLACES = 4096;
/** Minimum length of a cached text. Shorter texts cannot contain a secret, so they need no search. */
const MIN_LENGTH = 6;
/** Maximum length of a cached text. Longer texts rarely repeat, and comparing them costs as much as searching for secrets. */
const MAX_LENGTH = 120;

/**
 * Caches texts without secrets, since a program's names, paths and words repeat in every request. A new text replaces the text in its slot,
 * so texts that do not repeat cost almost nothing.
 */
export class CleanTexts {
  readonly #texts: (string | undefined)[] = Array.from({ length: PLACES });

  has(text: string): boolean {
    return isRemembered(text) && this.#texts[findPlace(text)] === text;
  }

  add(text: string): void {
    if (isRemembered(text)) this.#texts[findPlace(text)] = text;
  }
}

function isRemembered({ length }: string): boolean {
  return length >= MIN_LENGTH && length <= MAX_LENGTH;
}

const FACTOR = 0x01000193;

function findPlace(text: string): number {
  const { length } = text;
  let mixed = Math.imul(length ^ text.charCodeAt(0), FACTOR) ^ text.charCodeAt(length >> 1);
  mixed = Math.imul(mixed, FACTOR) ^ text.charCodeAt(length - 2);
  mixed = Math.imul(mixed, FACTOR) ^ text.charCodeAt(length - 1);
  return (mixed ^ (mixed >>> 12)) & (PLACES - 1);
}
