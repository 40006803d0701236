import { type Redactor, roleOfKey } from '@throughline/contract/redaction';

/** What a member's name says of its value. */
const PLAIN_NAME = 0;
/** Its value is one to hide. */
export const SECRET_NAME = 1;
/** `$type`: the object may be one of the forms in which values travel. */
export const FORM_NAME = 2;
/** What stands in it is hidden or shown in a way of its own. */
export const SPECIAL_NAME = 3;
/** Its value may be the name of another value beside it. */
export const NAMING_NAME = 4;
/** Its value is one to hide unless it is a number. */
export const TEXTS_NAME = 5;
/** It is a secret itself. */
export const HIDDEN_NAME = 6;

const PLACES = 2048;

/** Names repeat from step to step: those met before are known by their bytes, without making texts of them. */
export class KnownNames {
  readonly #redactor: Redactor;
  readonly #hashes = new Int32Array(PLACES);
  readonly #kinds = new Uint8Array(PLACES);
  readonly #names: (Buffer | undefined)[] = Array.from({ length: PLACES });

  private constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** One is kept for each redactor. */
  static of(redactor: Redactor): KnownNames {
    const known = kept.get(redactor) ?? new KnownNames(redactor);
    kept.set(redactor, known);
    return known;
  }

  /** What the name says that stands there in the bytes, with this hash. */
  find(bytes: Buffer, start: number, end: number, hash: number): number {
    const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
    const known = this.#names[place];
    if (known !== undefined && this.#hashes[place] === hash && stands(known, bytes, start, end)) {
      return this.#kinds[place] ?? PLAIN_NAME;
    }
    const kind = this.kindOf(bytes.toString('utf8', start, end));
    if (end - start <= MAX_CACHED_LENGTH) {
      this.#names[place] = Buffer.from(bytes.subarray(start, end));
      this.#hashes[place] = hash;
      this.#kinds[place] = kind;
    }
    return kind;
  }

  kindOf(name: string): number {
    if (name === '$type') return FORM_NAME;
    // A Map's entries and Node's raw headers hold names as values.
    if (name === 'entries' || name === 'rawHeaders' || name === 'rawTrailers') return SPECIAL_NAME;
    const { verdict, shown } = this.#redactor.known(name);
    if (shown !== name) return HIDDEN_NAME;
    if (verdict === 'texts') return TEXTS_NAME;
    if (verdict !== 'plain') return verdict === 'secret' ? SECRET_NAME : SPECIAL_NAME;
    const role = roleOfKey(name);
    return role === undefined ? PLAIN_NAME : role === 'naming' ? NAMING_NAME : SPECIAL_NAME;
  }
}

/** Longer ones are values of the sender's rather than names in his code. */
const MAX_CACHED_LENGTH = 100;

const kept = new WeakMap<Redactor, KnownNames>();

function stands(name: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let index = 0; index < name.length; index++) if (name[index] !== bytes[start + index]) return false;
  return true;
}
