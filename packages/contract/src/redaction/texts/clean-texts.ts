/** Texts in which nothing is hidden, each at a place that its length and some of its characters give. */
const PLACES = 4096;
/** Shorter ones are told apart from secrets by their length alone. */
const MIN_LENGTH = 6;
/** Longer ones rarely recur, and comparing them costs as much as a look for secrets. */
const MAX_LENGTH = 120;

/**
 * Remembers texts that hold no secret: a program's names, paths and words recur from request to request. A text gives way to another one of its place, so
 * that texts that never recur cost next to nothing.
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
