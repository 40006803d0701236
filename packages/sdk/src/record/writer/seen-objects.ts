import type { SnapshotBudget } from '../snapshot/budget.ts';
import { fragment } from './json-writer.ts';
import { weakGet, weakSet } from './primordials.ts';

const seenBefore = fragment('"seenBefore":{');
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
/** The largest size of one entry without its two names. */
const ENTRY_BYTES = 32;

/** Objects looked for among the values of one trace; those that come later are not told from others that are alike. */
const MAX_OBJECTS = 2000;

/** A name as it is written before its value. */
type NameFragment = ReturnType<typeof fragment>;

/**
 * Which step of a trace showed an object first, and under what name: the value of a binding, a result or `this`. The same object within another is not
 * looked for. Holds none of them.
 */
export class SeenObjects {
  #first: WeakMap<object, number> | undefined;
  #count = 0;
  readonly #steps: number[] = [];
  readonly #names: string[] = [];
  /** Objects of the current moment that another step already showed. */
  readonly #again: NameFragment[] = [];
  readonly #origins: number[] = [];
  #found = 0;

  /** Notes that the step of this number shows `value` as `name`. */
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

  /** Writes, for what was noted since the last call, the step and the name that showed it before, and forgets that. Nothing, and false, where there is none. */
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

  /** Forgets what would be written. */
  forgetFound(): void {
    this.#found = 0;
  }

  clear(): void {
    this.#first = undefined;
  }
}
