import { type Redactor, redactStepFields } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { CapturedText, type StepValue } from '../writer/captured-text.ts';
import { JsonWriter } from '../writer/json-writer.ts';
import { arrayPrototype, hasOwn, mapGet, mapSet, objectPrototype } from '../writer/primordials.ts';

/** Size in bytes at which all stored texts are discarded, since a program can build a different statement for each request. */
const MAX_BYTES = 256 * 1024;
const FIRST_BLOCK = 4 * 1024;

/** JSON of values that many steps repeat, such as a statement's text. Each is checked for secrets and written once, then copied. */
export class RepeatedTexts {
  readonly #redactor: Redactor | null;
  #known = new Map<string, CapturedText>();
  #writer = new JsonWriter(FIRST_BLOCK);

  /** With null, values are redacted when their trace is written, so none is shared. */
  constructor(redactor: Redactor | null) {
    this.#redactor = redactor;
  }

  /** Returns the value of a step's field. Values with the same `key` are equal. */
  take(field: 'inputs' | 'outputs', key: string, make: () => CapturedValue): StepValue {
    return mapGet(this.#known, key) ?? this.#write(field, key, make());
  }

  #write(field: 'inputs' | 'outputs', key: string, value: CapturedValue): StepValue {
    const fields = { [field]: value };
    // A secret must be known to the whole trace, which happens when the trace is written.
    if (this.#redactor === null || redactStepFields(fields, this.#redactor) !== fields) return value;
    // JSON.stringify would call the host's method.
    if (hasOwn(objectPrototype, 'toJSON') || hasOwn(arrayPrototype, 'toJSON')) return value;
    if (this.#writer.end > MAX_BYTES) {
      this.#known = new Map();
      this.#writer = new JsonWriter(FIRST_BLOCK);
    }
    const writer = this.#writer;
    const start = writer.end;
    writer.json(JSON.stringify(value));
    const text = new CapturedText(writer, start, writer.end, true);
    mapSet(this.#known, key, text);
    return text;
  }
}
