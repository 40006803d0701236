import {
  findKeyRole,
  type NameVerdict,
  type Redactor,
  type RoleOfKey,
} from '@throughline/contract/redaction';
import { buildFragment, type Fragment } from '../writer/json-writer.ts';
import { mapGet, mapSet, stringifyJson } from '../writer/primordials.ts';

/** A property name as it is written to JSON, with the rules that apply to it. */
export interface CapturedName {
  readonly name: string;
  /** The name as shown in the trace. A name that is a secret is redacted. */
  readonly shown: string;
  /** The written property name: `"name":` */
  readonly json: Fragment;
  /** How the redaction rules treat values under this name. */
  readonly verdict: NameVerdict;
  /**
   * Role of the name for its siblings or members, if it has one. For example, `name` in `{name: 'password', value: …}` names its sibling,
   * and the members of `keys` can be keys that sign cookies.
   */
  readonly role: RoleOfKey | undefined;
  /** True for Node's `rawHeaders` and `rawTrailers`, lists in which names and values alternate. */
  readonly raw: boolean;
  /**
   * The name that followed this name in the last captured object. The same name usually follows again, because objects of one kind have the
   * same names in the same order.
   */
  next: CapturedName | null;
}

/** Maximum number of cached names. A program has hundreds of names, and each request repeats them. */
const MOST = 5000;
const LONGEST = 200;

/** Caches the names of captured values, so that each name is classified and written once. All recordings of a process share one cache. */
export class CapturedNames {
  readonly #redactor: Redactor | null;
  #known = new Map<string, CapturedName>();
  #count = 0;

  constructor(redactor: Redactor | null) {
    this.#redactor = redactor;
  }

  /** Does the same as {@link of}, but faster if `name` is the name that followed `before` in the last object. */
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
      json: buildFragment(`${stringifyJson(shown)}:`),
      verdict,
      role: this.#redactor === null ? undefined : findKeyRole(name),
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
