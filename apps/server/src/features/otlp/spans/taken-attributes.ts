import type { CapturedValue } from '@throughline/contract/values';
import { type Attributes, setAttribute } from '../decode/sent-span.ts';

/** Reads a span's attributes and tracks which attributes were moved to a field of their own. */
export class TakenAttributes {
  readonly #all: Attributes;
  /** Created when the first attribute is taken, so that spans of which no attribute is taken need no set. */
  #taken: Set<string> | undefined;

  constructor(all: Attributes) {
    this.#all = all;
  }

  /**
   * Takes the attribute with the first of these names for which the span has an attribute. Conventions change, so most attributes have an
   * old and a new name.
   */
  value(...names: readonly string[]): CapturedValue | undefined {
    const name = this.#first(names);
    if (name === undefined) return undefined;
    this.#take(name);
    return this.#all[name];
  }

  /** Like {@link text}, but leaves the attribute in the metadata, from which rollups read a step's dependency. */
  seenText(...names: readonly string[]): string | undefined {
    const name = this.#first(names);
    return name === undefined ? undefined : toText(this.#all[name]);
  }

  #first(names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.#all[name];
      if (value !== undefined && value !== null) return name;
    }
    return undefined;
  }

  text(...names: readonly string[]): string | undefined {
    return toText(this.value(...names));
  }

  /** Takes the first of these attributes whose value is a whole number of at least 0. Attributes with other values are not taken. */
  count(...names: readonly string[]): number | undefined {
    for (const name of names) {
      const value = toNumber(this.#all[name]);
      if (!Number.isSafeInteger(value) || value < 0) continue;
      this.#take(name);
      return value;
    }
    return undefined;
  }

  /** Takes all attributes with this prefix. Returns them by name without the prefix. */
  below(prefix: string): Attributes | undefined {
    let found: Attributes | undefined;
    for (const name of Object.keys(this.#all)) {
      const value = this.#all[name];
      if (value === undefined || !name.startsWith(prefix)) continue;
      found ??= {};
      setAttribute(found, name.slice(prefix.length), value);
      this.#take(name);
    }
    return found;
  }

  has(...names: readonly string[]): boolean {
    for (const name of names) if (this.#all[name] !== undefined) return true;
    return false;
  }

  #take(name: string): void {
    this.#taken ??= new Set();
    this.#taken.add(name);
  }

  /** Returns the attributes that were not taken. */
  rest(): Attributes {
    const rest: Attributes = {};
    for (const name of Object.keys(this.#all)) {
      const value = this.#all[name];
      if (value !== undefined && !this.#taken?.has(name)) setAttribute(rest, name, value);
    }
    return rest;
  }
}

/**
 * Converts an attribute to a number; NaN for null, objects and lists. An object can have members such as `valueOf`, which break `Number`.
 */
export function toNumber(value: CapturedValue | undefined): number {
  return typeof value === 'object' ? Number.NaN : Number(value);
}

/** Converts an attribute to a string: objects and lists to JSON, since `String` cannot convert every object. */
export function toText(value: CapturedValue | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
