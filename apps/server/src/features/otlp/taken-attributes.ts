import type { CapturedValue } from '@throughline/contract/values';
import { type Attributes, setAttribute } from './sent-span.ts';

/** A span's attributes, from which those go that have a field of their own. */
export class TakenAttributes {
  readonly #all: Attributes;
  readonly #taken = new Set<string>();

  constructor(all: Attributes) {
    this.#all = all;
  }

  /** The first of these names that there is; conventions change, so most things have an old name and a new one. */
  value(...names: readonly string[]): CapturedValue | undefined {
    const name = this.#first(names);
    if (name === undefined) return undefined;
    this.#taken.add(name);
    return this.#all[name];
  }

  /** The same, and it stays among the rest. */
  seen(...names: readonly string[]): CapturedValue | undefined {
    const name = this.#first(names);
    return name === undefined ? undefined : this.#all[name];
  }

  #first(names: readonly string[]): string | undefined {
    return names.find((name) => this.#all[name] !== undefined && this.#all[name] !== null);
  }

  text(...names: readonly string[]): string | undefined {
    const value = this.value(...names);
    if (value === undefined || typeof value === 'string') return value;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** A whole number; what is none stays among the rest. */
  count(...names: readonly string[]): number | undefined {
    for (const name of names) {
      const value = Number(this.#all[name] ?? Number.NaN);
      if (!Number.isSafeInteger(value) || value < 0) continue;
      this.#taken.add(name);
      return value;
    }
    return undefined;
  }

  /** Those that begin so, by the rest of their names. */
  below(prefix: string): Attributes | undefined {
    let found: Attributes | undefined;
    for (const name of Object.keys(this.#all)) {
      const value = this.#all[name];
      if (value === undefined || !name.startsWith(prefix)) continue;
      found ??= {};
      setAttribute(found, name.slice(prefix.length), value);
      this.#taken.add(name);
    }
    return found;
  }

  has(...names: readonly string[]): boolean {
    return names.some((name) => this.#all[name] !== undefined);
  }

  /** What was not taken. */
  rest(): Attributes {
    const rest: Attributes = {};
    for (const name of Object.keys(this.#all)) {
      const value = this.#all[name];
      if (value !== undefined && !this.#taken.has(name)) setAttribute(rest, name, value);
    }
    return rest;
  }
}
