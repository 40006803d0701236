import type { CapturedValue } from '@throughline/contract/values';
import { hashOfName, hashOfPair } from '../../platform/trace-store/index.ts';

/** ES2026; the engine has it, TypeScript's libraries do not yet. */
const { isRawJSON } = JSON as typeof JSON & { isRawJSON(value: unknown): boolean };

/** A search cannot ask for longer ones. */
const LONGEST = 1000;
/** So many different ones a trace is searched by; of more, the texts are searched. */
const MOST = 1000;

/** What a trace is searched by: the attributes of its request and of all its steps, each once. */
export class TraceAttributes {
  readonly #names = new Set<string>();
  readonly #pairs = new Set<string>();
  #whole = true;

  /** Adds the members of an object; of anything else nothing. `attributes` is redacted: it is what is stored. */
  add(attributes: CapturedValue | undefined): void {
    if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) return;
    if (isRawJSON(attributes)) return;
    for (const [name, value] of Object.entries(attributes)) {
      if (this.#names.size >= MOST || this.#pairs.size >= MOST) {
        this.#whole = false;
        return;
      }
      if (name.length > LONGEST) continue;
      this.#names.add(hashOfName(name));
      const json = plainJson(value);
      if (json !== undefined) this.#pairs.add(hashOfPair(name, json));
    }
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

/** The JSON text of a value that a search can ask for: of a text, a number, true, false or null. */
function plainJson(value: CapturedValue): string | undefined {
  if (typeof value === 'string') return value.length > LONGEST ? undefined : JSON.stringify(value);
  if (typeof value !== 'object' || value === null || isRawJSON(value)) return JSON.stringify(value);
  return undefined;
}
