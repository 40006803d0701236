import type { CapturedValue } from '@throughline/contract/values';
import { type Attributes, setAttribute } from './sent-span.ts';

/** A span's attributes, from which those go that have a field of their own. */
export class TakenAttributes {
  readonly #all: Attributes;
  /** Made with the first: of most spans few are taken. */
  #taken: Set<string> | undefined;

  constructor(all: Attributes) {
    this.#all = all;
  }

  /** The first of these names that there is; conventions change, so most things have an old name and a new one. */
  value(...names: readonly string[]): CapturedValue | undefined {
    const name = this.#first(names);
    if (name === undefined) return undefined;
    this.#take(name);
    return this.#all[name];
  }

  /** The same, and it stays among the rest. */
  seen(...names: readonly string[]): CapturedValue | undefined {
    const name = this.#first(names);
    return name === undefined ? undefined : this.#all[name];
  }

  #first(names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.#all[name];
      if (value !== undefined && value !== null) return name;
    }
    return undefined;
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
      this.#take(name);
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

  /** What was not taken. */
  rest(): Attributes {
    const rest: Attributes = {};
    for (const name of Object.keys(this.#all)) {
      const value = this.#all[name];
      if (value !== undefined && !this.#taken?.has(name)) setAttribute(rest, name, value);
    }
    return rest;
  }
}
