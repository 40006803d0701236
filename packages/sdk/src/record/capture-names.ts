import { type NameVerdict, type Redactor, type RoleOfKey, roleOfKey } from '@throughline/contract/redaction';
import { type Fragment, fragment } from './json-tape.ts';
import { mapGet, mapSet, stringifyJson } from './snapshot-intrinsics.ts';

/** A property's name as it is written, and what is known of it. */
export interface CapturedName {
  readonly name: string;
  /** As it is written: a name can be a secret itself. */
  readonly shown: string;
  /** `"name":` */
  readonly json: Fragment;
  /** What it says of what stands under it. */
  readonly verdict: NameVerdict;
  /** Its value may be the name of another value beside it, or the keys that cookies are signed with. */
  readonly role: RoleOfKey | undefined;
  /** Node's `rawHeaders` and `rawTrailers`: names and values in turn. */
  readonly raw: boolean;
  /** The name that stood after it last: mostly the next time too, since objects of one kind have the same names in the same order. */
  next: CapturedName | null;
}

/** Names repeat: a program has hundreds, a request the same ones over and over. */
const MOST = 5000;
const LONGEST = 200;

/** The names that values were captured under, each judged and written once. One for all recordings of a process. */
export class CapturedNames {
  readonly #redactor: Redactor | null;
  #known = new Map<string, CapturedName>();
  #count = 0;

  constructor(redactor: Redactor | null) {
    this.#redactor = redactor;
  }

  /** {@link of} for a name that stands after another in an object: half the time, where it does so again. */
  after(before: CapturedName | null, name: string): CapturedName {
    if (before === null) return this.of(name);
    const { next } = before;
    if (next !== null && next.name === name) return next;
    const known = this.of(name);
    before.next = known;
    return known;
  }

  of(name: string): CapturedName {
    const known = mapGet(this.#known, name);
    if (known !== undefined) return known;
    const { shown, verdict } = this.#redactor?.known(name) ?? { shown: name, verdict: 'plain' };
    const made: CapturedName = {
      name,
      shown,
      json: fragment(`${stringifyJson(shown)}:`),
      verdict,
      role: this.#redactor === null ? undefined : roleOfKey(name),
      raw: this.#redactor !== null && (name === 'rawHeaders' || name === 'rawTrailers'),
      next: null,
    };
    if (name.length > LONGEST) return made;
    if (this.#count >= MOST) {
      this.#known = new Map();
      this.#count = 0;
    }
    mapSet(this.#known, name, made);
    this.#count++;
    return made;
  }
}
