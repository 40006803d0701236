import type { CapturedValue } from '@throughline/contract/values';
import {
  type AttributeHashes,
  type HashBudget,
  hashOfPair,
  hashOfValue,
  type KnownName,
  knownName,
  MAX_ATTRIBUTES,
} from '../../platform/trace-store/index.ts';

/** ES2026; the engine has it, TypeScript's libraries do not yet. */
const { isRawJSON } = JSON as typeof JSON & { isRawJSON(value: unknown): boolean };

/** A search cannot ask for longer ones. */
const LONGEST = 1000;

const NO_HASHES: AttributeHashes = { names: [], pairs: [] };
const UNKNOWN_HASHES: AttributeHashes = { ...NO_HASHES, more: true };

/**
 * Of the members of an object, of as many as a trace is searched by; of anything else none. `attributes` is redacted: it is what is stored. Without
 * budget there are more than are computed, and the trace is searched by its texts.
 */
export function hashAttributes(attributes: CapturedValue | undefined, budget?: HashBudget): AttributeHashes {
  if (!isObject(attributes) || isRawJSON(attributes)) return NO_HASHES;
  if (budget?.isSpent) return UNKNOWN_HASHES;
  const fields: Fields = attributes;
  const names: string[] = [];
  const pairs: string[] = [];
  for (const name of Object.keys(fields)) {
    // One more, so that it is known that these are not all.
    if (names.length > MAX_ATTRIBUTES) break;
    if (name.length > LONGEST) continue;
    const known = knownName(name);
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

/** What a trace is searched by, as one thread hands it to another. */
export interface AttributesMessage extends AttributeHashes {
  readonly whole: boolean;
}

/** What a trace is searched by: the attributes of its request and of all its steps, each once. */
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
      // Full, and not all of them are in it: nothing changes any more.
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

  /** These and others beside them. */
  with(others: readonly AttributeHashes[]): TraceAttributes {
    const all = TraceAttributes.fromMessage(this.toMessage());
    for (const each of others) all.addHashes(each);
    return all;
  }

  /** Whether all are among {@link fields}. */
  get whole(): boolean {
    return this.#whole;
  }

  /** The columns `attribute_pairs` and `attribute_names` in TabSeparated format. */
  fields(): string {
    return `[${[...this.#pairs].join(',')}]\t[${[...this.#names].join(',')}]`;
  }
}

/** What stands for an attribute with a value that a search can ask for: a text, a number, true, false or null. */
function buildPair(name: string, value: CapturedValue, known: KnownName): string | undefined {
  if (typeof value === 'string') return value.length > LONGEST ? undefined : hashOfValue(name, value, known);
  if (typeof value !== 'object' || value === null) return hashOfValue(name, value, known);
  // A number that no double holds.
  return isRawJSON(value) ? hashOfPair(name, JSON.stringify(value)) : undefined;
}
