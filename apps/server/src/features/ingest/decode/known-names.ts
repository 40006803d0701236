import { findKeyRole, isCounted, type Redactor } from '@throughline/contract/redaction';

/** Kinds of member names, which decide how the member's value is redacted. */
const PLAIN_NAME = 0;
/** The value must be hidden. */
export const SECRET_NAME = 1;
/** `$type`: the object can be an encoded value. */
export const FORM_NAME = 2;
/** The value has its own redaction rules. */
export const SPECIAL_NAME = 3;
/** The value can be the name of a sibling value. */
export const NAMING_NAME = 4;
/** The value must be hidden unless it is a short number, such as the count in `{"tokens": 12}`. */
export const TEXTS_NAME = 5;
/** The name itself is a secret. */
export const HIDDEN_NAME = 6;
/** The value can be a label of a sibling value. */
export const LABEL_NAME = 7;

const PLACES = 2048;

/** Caches the kinds of member names by their bytes, because names repeat from step to step. */
export class KnownNames {
  readonly #redactor: Redactor;
  readonly #hashes = new Int32Array(PLACES);
  readonly #kinds = new Uint8Array(PLACES);
  readonly #names: (Buffer | undefined)[] = Array.from({ length: PLACES });

  private constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Returns the cache of a redactor. */
  static of(redactor: Redactor): KnownNames {
    const known = caches.get(redactor) ?? new KnownNames(redactor);
    caches.set(redactor, known);
    return known;
  }

  /** Returns the kind of the name between `start` and `end`; `hash` is the name's hash. */
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
    // Map entries and Node's raw headers contain names as values, so they have redaction rules of their own.
    if (name === 'entries' || name === 'rawHeaders' || name === 'rawTrailers') return SPECIAL_NAME;
    const { verdict, shown } = this.#redactor.known(name);
    if (shown !== name) return HIDDEN_NAME;
    if (isCounted(verdict)) return TEXTS_NAME;
    if (verdict !== 'plain') return verdict === 'secret' ? SECRET_NAME : SPECIAL_NAME;
    const role = findKeyRole(name);
    if (role === undefined) return PLAIN_NAME;
    if (role === 'label') return LABEL_NAME;
    return role === 'naming' ? NAMING_NAME : SPECIAL_NAME;
  }
}

/** Maximum length of a name that is cached. Longer names are the sender's data rather than names in code. */
const MAX_CACHED_LENGTH = 100;

const caches = new WeakMap<Redactor, KnownNames>();

function stands(name: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let index = 0; index < name.length; index++) if (name[index] !== bytes[start + index]) return false;
  return true;
}
