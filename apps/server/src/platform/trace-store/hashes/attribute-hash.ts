import { hash } from 'node:crypto';

/**
 * Maximum number of cached hashes. Attributes repeat between traces. Caching an attribute that does not repeat costs only a microsecond.
 */
const MAX_CACHED = 20_000;
const MAX_CACHED_LENGTH = 200;

/** A value that can be searched for. */
export type Searchable = string | number | boolean | null;

/** Cached hashes of an attribute's name: its {@link hashOfName}, and the hashes of the name with each value that the attribute had. */
export interface KnownName {
  readonly hash: string;
  readonly pairs: Map<Searchable, string>;
}
const known = new Map<string, KnownName>();
let kept = 0;
let computed = 0;

/** Limits the number of hashes computed from now on. Cached hashes do not count. */
export class HashBudget {
  readonly #end: number;

  constructor(hashes: number) {
    this.#end = computed + hashes;
  }

  get isSpent(): boolean {
    return computed >= this.#end;
  }
}

/** Maximum number of attributes by which a trace is found through hashes. If a trace has more, a search also reads its stored strings. */
export const MAX_ATTRIBUTES = 1000;

/** Hashes by which attributes are found: hashes of the names, and hashes of name and value together if the value can be searched for. */
export interface AttributeHashes {
  readonly names: readonly string[];
  readonly pairs: readonly string[];
  /** True if the lists do not contain the hashes of all attributes. */
  readonly more?: boolean;
}

/** Hashes an attribute's name for `traces.attribute_names`: 64 bits in decimal digits. */
export function hashOfName(name: string): string {
  return findKnownName(name).hash;
}

/** Hashes an attribute's name and its JSON value for `traces.attribute_pairs`. */
export function hashOfPair(name: string, json: string): string {
  return hashDigits(`${name}:${json}`);
}

/** Like {@link hashOfPair}, but cached, so that a repeated value is not serialized again. */
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

/**
 * Builds the SQL expression of the hash that {@link hashOfName} or {@link hashOfPair} computes. `text` is an SQL expression that yields a
 * name or `name:JSON`.
 */
export function hashSql(text: string): string {
  return `reinterpretAsUInt64(reverse(substring(SHA256(${text}), 1, 8)))`;
}

/** Returns a name's cache entry for {@link hashOfValue}, so that name and value need one lookup. */
export function findKnownName(name: string): KnownName {
  const before = known.get(name);
  if (before !== undefined) return before;
  const entry = { hash: hashDigits(name), pairs: new Map<Searchable, string>() };
  if (name.length <= MAX_CACHED_LENGTH) {
    makeRoom();
    known.set(name, entry);
  }
  return entry;
}

/** Counts one more cached hash. Clears the cache first if it is full. */
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
