import { type Redactor, redactStepFields } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { CapturedText, type StepValue } from '../writer/captured-text.ts';
import { JsonWriter } from '../writer/json-writer.ts';
import { arrayPrototype, hasOwn, mapGet, mapSet, objectPrototype } from '../writer/primordials.ts';

/**
 * Maximum total size of the cached JSON texts, in bytes. At this size, all cached texts are discarded. Without a limit, a program that
 * builds a different statement for each request would fill the memory.
 */
const MAX_BYTES = 256 * 1024;
const FIRST_BLOCK = 4 * 1024;

/**
 * JSON of values that many steps repeat, such as the text of a statement. Each value is checked for secrets and written once; afterwards
 * the JSON is copied.
 */
export class RepeatedTexts {
  readonly #redactor: Redactor | null;
  /** The texts by key, then by detail. Joining the two would copy and hash a long text for each value. */
  #known = new Map<string, Map<string, CapturedText>>();
  #writer = new JsonWriter(FIRST_BLOCK);

  /** If `redactor` is null, no JSON is shared. */
  constructor(redactor: Redactor | null) {
    this.#redactor = redactor;
  }

  /** Returns the value of a step's field. Values with the same `key` and `detail` must be equal. */
  take(field: 'inputs' | 'outputs', key: string, detail: string, make: () => CapturedValue): StepValue {
    const known = mapGet(this.#known, key);
    return (known && mapGet(known, detail)) ?? this.#write(field, key, detail, make());
  }

  #write(field: 'inputs' | 'outputs', key: string, detail: string, value: CapturedValue): StepValue {
    const fields = { [field]: value };
    // A value is not shared if it contains a secret, or if it is not checked for secrets here. It is redacted when the trace is written,
    // because its secrets must then be hidden in the whole trace.
    if (this.#redactor === null || redactStepFields(fields, this.#redactor) !== fields) return value;
    // A `toJSON` that the host has added would be called by JSON.stringify.
    if (hasOwn(objectPrototype, 'toJSON') || hasOwn(arrayPrototype, 'toJSON')) return value;
    if (this.#writer.end > MAX_BYTES) {
      this.#known = new Map();
      this.#writer = new JsonWriter(FIRST_BLOCK);
    }
    const writer = this.#writer;
    const start = writer.end;
    writer.json(JSON.stringify(value));
    const text = new CapturedText(writer, start, writer.end, true);
    const known = mapGet(this.#known, key) ?? new Map<string, CapturedText>();
    mapSet(known, detail, text);
    mapSet(this.#known, key, known);
    return text;
  }
}
