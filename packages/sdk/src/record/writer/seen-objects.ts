import type { SnapshotBudget } from '../snapshot/budget.ts';
import { buildFragment } from './json-writer.ts';
import { weakGet, weakSet } from './primordials.ts';

const seenBefore = buildFragment('"seenBefore":{');
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
/**
 * Maximum size of an entry of `seenBefore` in bytes. Excludes the name of the binding and the name under which an earlier step shows the
 * object.
 */
const ENTRY_BYTES = 32;

/** Maximum number of objects tracked per trace. Other objects are not recognized when they appear again. */
const MAX_OBJECTS = 2000;

/** A property name as JSON, as it is written before the value. */
type NameFragment = ReturnType<typeof buildFragment>;

/**
 * Tracks which step of a trace first showed an object, and under which name: as the value of a binding, as a result or as `this`. Does not
 * track nested objects. Does not retain the objects in memory.
 */
export class SeenObjects {
  #first: WeakMap<object, number> | undefined;
  #count = 0;
  readonly #steps: number[] = [];
  readonly #names: string[] = [];
  /** Names of the objects in the current capture that an earlier step already showed. */
  readonly #again: NameFragment[] = [];
  readonly #origins: number[] = [];
  #found = 0;

  /** Records that the step with the number `step` shows `value` under `name`. */
  note(value: unknown, step: number, name: string, json: NameFragment): void {
    if (typeof value !== 'object' || value === null) return;
    this.#first ??= new WeakMap();
    const origin = weakGet(this.#first, value);
    if (origin !== undefined) {
      if (this.#steps[origin] === step) return;
      this.#again[this.#found] = json;
      this.#origins[this.#found++] = origin;
    } else if (this.#count < MAX_OBJECTS) {
      weakSet(this.#first, value, this.#count);
      this.#steps[this.#count] = step;
      this.#names[this.#count++] = name;
    }
  }

  /**
   * Writes `seenBefore`: for each repeated object noted since the last call, as far as the budget allows, the earlier step and the name of
   * the object in that step. Then clears the list. If there are no repeated objects, writes nothing and returns false.
   */
  write(budget: SnapshotBudget): boolean {
    const found = this.#found;
    this.#found = 0;
    if (found === 0) return false;
    const { writer } = budget;
    writer.fragment(seenBefore);
    for (let index = 0; index < found; index++) {
      const json = this.#again[index];
      const origin = this.#origins[index] ?? 0;
      const name = this.#names[origin] ?? '';
      if (json === undefined || !budget.hasRoom(json.size + name.length * 3 + ENTRY_BYTES)) break;
      writer.fragment(json);
      writer.byte(OPEN_LIST);
      writer.string(`${(this.#steps[origin] ?? 0) + 1}`);
      writer.comma();
      writer.string(name);
      writer.close(CLOSE_LIST);
    }
    writer.close(CLOSE);
    return true;
  }

  /** Discards the repeated objects that have been noted and not yet written by {@link write}. */
  forgetFound(): void {
    this.#found = 0;
  }

  clear(): void {
    this.#first = undefined;
  }
}
