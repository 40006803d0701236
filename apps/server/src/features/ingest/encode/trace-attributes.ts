import type { CapturedValue } from '@throughline/contract/values';
import {
  type AttributeHashes,
  findKnownName,
  type HashBudget,
  hashOfPair,
  hashOfValue,
  type KnownName,
  MAX_ATTRIBUTES,
  SEARCH_COLUMNS,
} from '../../../platform/trace-store/index.ts';

/** `isRawJSON` is part of ES2026. The engine has `isRawJSON`, but TypeScript's libraries do not declare it yet. */
export const { isRawJSON } = JSON as typeof JSON & { isRawJSON(value: unknown): boolean };

/** Maximum length of the names and values that are hashed, in UTF-16 code units. Searches cannot contain longer names or values. */
const LONGEST = 1000;

const NO_HASHES: AttributeHashes = { names: [], pairs: [] };
const UNKNOWN_HASHES: AttributeHashes = { ...NO_HASHES, more: true };

/**
 * Hashes the members of an object, up to the limit of searchable attributes; other values have no hashes. `attributes` must be redacted, to
 * match the stored attributes. If the budget is spent, `more` is set and searches compare the trace's stored attributes instead.
 */
export function hashAttributes(attributes: CapturedValue | undefined, budget?: HashBudget): AttributeHashes {
  if (!isObject(attributes) || isRawJSON(attributes)) return NO_HASHES;
  if (budget?.isSpent) return UNKNOWN_HASHES;
  const fields: Fields = attributes;
  const names: string[] = [];
  const pairs: string[] = [];
  for (const name of Object.keys(fields)) {
    // Reads one attribute more than the limit, to mark the list as incomplete.
    if (names.length > MAX_ATTRIBUTES) break;
    if (name.length > LONGEST) continue;
    const known = findKnownName(name);
    names.push(known.hash);
    const value = fields[name];
    const pair = value === undefined ? undefined : buildPair(name, value, known);
    if (pair !== undefined) pairs.push(pair);
  }
  return { names, pairs };
}

type Fields = { readonly [name: string]: CapturedValue };

function isObject(value: CapturedValue | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Hashes of a trace's attributes, passed between threads. */
export interface AttributesMessage extends AttributeHashes {
  readonly whole: boolean;
}

/** Collects the attribute hashes by which a trace can be found: those of its request and of all its steps, each once. */
export class TraceAttributes {
  readonly #names = new Set<string>();
  readonly #pairs = new Set<string>();
  readonly #budget: HashBudget | undefined;
  #whole = true;

  constructor(budget?: HashBudget) {
    this.#budget = budget;
  }

  add(attributes: CapturedValue | undefined): void {
    this.addHashes(hashAttributes(attributes, this.#budget));
  }

  addHashes({ names, pairs, more }: AttributeHashes): void {
    if (more) this.#whole = false;
    this.#addTo(this.#names, names);
    this.#addTo(this.#pairs, pairs);
  }

  #addTo(known: Set<string>, hashes: Iterable<string>): void {
    for (const hash of hashes) {
      // If the set is full and already marked as incomplete, further hashes change nothing.
      if (known.size === MAX_ATTRIBUTES && !this.#whole) return;
      if (known.size < MAX_ATTRIBUTES) known.add(hash);
      else if (!known.has(hash)) this.#whole = false;
    }
  }

  static fromMessage(message: AttributesMessage): TraceAttributes {
    const attributes = new TraceAttributes();
    attributes.addHashes(message);
    attributes.#whole = message.whole;
    return attributes;
  }

  toMessage(): AttributesMessage {
    return { names: [...this.#names], pairs: [...this.#pairs], whole: this.#whole };
  }

  /** Returns a copy with the given hashes added. */
  with(others: readonly AttributeHashes[]): TraceAttributes {
    const all = TraceAttributes.fromMessage(this.toMessage());
    for (const each of others) all.addHashes(each);
    return all;
  }

  /** True if {@link fields} contains all attributes. */
  get whole(): boolean {
    return this.#whole;
  }

  /** Writes the columns `attribute_pairs` and `attribute_names` in TabSeparated format. */
  fields(): string {
    return SEARCH_COLUMNS.write({ attribute_pairs: this.#pairs, attribute_names: this.#names });
  }
}

/** Returns the hash of an attribute with a searchable value: a string, a number, true, false or null. */
function buildPair(name: string, value: CapturedValue, known: KnownName): string | undefined {
  if (typeof value === 'string') return value.length > LONGEST ? undefined : hashOfValue(name, value, known);
  if (typeof value !== 'object' || value === null) return hashOfValue(name, value, known);
  // A raw value is a number that no double can represent.
  return isRawJSON(value) ? hashOfPair(name, JSON.stringify(value)) : undefined;
}
