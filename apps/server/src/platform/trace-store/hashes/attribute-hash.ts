import { hash } from 'node:crypto';

/** Attributes repeat from trace to trace; of those that do not, nothing is lost but a microsecond. */
const MAX_CACHED = 20_000;
const MAX_CACHED_LENGTH = 200;

/** A value that a search can ask for. */
export type Searchable = string | number | boolean | null;

/** An attribute's name that was met before: {@link hashOfName}, and hashes of the values that it had. */
export interface KnownName {
  readonly hash: string;
  readonly pairs: Map<Searchable, string>;
}
const known = new Map<string, KnownName>();
let kept = 0;
let computed = 0;

/** Limits how many hashes are computed from now on. Cached hashes are free. */
export class HashBudget {
  readonly #end: number;

  constructor(hashes: number) {
    this.#end = computed + hashes;
  }

  get isSpent(): boolean {
    return computed >= this.#end;
  }
}

/** By so many different attributes a trace is searched; of one with more, the texts are searched. */
export const MAX_ATTRIBUTES = 1000;

/** Hashes that attributes are searched by: of their names, and of name and value where a search can ask for the value. */
export interface AttributeHashes {
  readonly names: readonly string[];
  readonly pairs: readonly string[];
  /** There are more than these. */
  readonly more?: boolean;
}

/** Hashes an attribute's name for `traces.attribute_names`: decimal digits of 64 bits. */
export function hashOfName(name: string): string {
  return knownName(name).hash;
}

/** Hashes an attribute with its value, as JSON text, for `traces.attribute_pairs`. */
export function hashOfPair(name: string, json: string): string {
  return hashDigits(`${name}:${json}`);
}

/** {@link hashOfPair} of a value that may have been met before: its JSON text is not made again then. */
export function hashOfValue(name: string, value: Searchable, { pairs }: KnownName): string {
  const before = pairs.get(value);
  if (before !== undefined) return before;
  const digits = hashOfPair(name, JSON.stringify(value));
  if (typeof value !== 'string' || value.length <= MAX_CACHED_LENGTH) {
    makeRoom();
    pairs.set(value, digits);
  }
  return digits;
}

/** The same in SQL, of an expression for `name:JSON` or for a name. */
export function hashSql(text: string): string {
  return `reinterpretAsUInt64(reverse(substring(SHA256(${text}), 1, 8)))`;
}

/** For {@link hashOfValue}: one look-up for name and value. */
export function knownName(name: string): KnownName {
  const before = known.get(name);
  if (before !== undefined) return before;
  const entry = { hash: hashDigits(name), pairs: new Map<Searchable, string>() };
  if (name.length <= MAX_CACHED_LENGTH) {
    makeRoom();
    known.set(name, entry);
  }
  return entry;
}

/** For one more. */
function makeRoom(): void {
  if (kept === MAX_CACHED) {
    known.clear();
    kept = 0;
  }
  kept += 1;
}

function hashDigits(text: string): string {
  computed += 1;
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`).toString();
}
