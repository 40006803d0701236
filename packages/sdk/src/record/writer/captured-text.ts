import type { CapturedValue } from '@throughline/contract/values';
import { HOLE } from '../errors/stack-places.ts';
import type { JsonWriter } from './json-writer.ts';
import { bufferToString } from './primordials.ts';

/** A captured value: a range in the buffer of the recording. Valid until the buffer is returned to the pool. */
export class CapturedText {
  readonly writer: JsonWriter;
  readonly start: number;
  readonly end: number;
  /** True if all secrets were removed during capture, so that the value need not be redacted when the trace is written. */
  readonly clean: boolean;

  constructor(writer: JsonWriter, start: number, end: number, clean: boolean) {
    this.writer = writer;
    this.start = start;
    this.end = end;
    this.clean = clean;
  }

  get json(): string {
    const { stacks } = this.writer;
    const json = bufferToString(this.writer.bytes, 'utf8', this.start, this.end);
    return stacks !== null && this.hasStacks ? stacks.filled(json) : json;
  }

  /** True if the value contains placeholders for error stacks, which are not in the buffer themselves. */
  get hasStacks(): boolean {
    const { stacks, bytes } = this.writer;
    return stacks !== null && bytes.subarray(this.start, this.end).includes(HOLE);
  }

  /** Copies the JSON to another buffer. Must not be called for values with stacks. */
  writeTo(writer: JsonWriter): void {
    writer.copy(this.writer, this.start, this.end);
  }

  /** Returns the value as plain data. */
  read(): CapturedValue {
    return JSON.parse(this.json);
  }
}

const CLOSE = 0x7d;

/** A captured object whose last member was captured separately. */
export class ExtendedText extends CapturedText {
  /** The last member; null if there is none. */
  tail: CapturedText | null;
  /** The name of the last member as it is written: `,"returnValue":` */
  readonly #name: string;

  constructor({ writer, start, end, clean }: CapturedText, name: string, tail: CapturedText | null) {
    super(writer, start, end, clean && tail?.clean !== false);
    this.#name = name;
    this.tail = tail;
  }

  override get json(): string {
    const json = super.json;
    return this.tail === null ? json : `${json.slice(0, -1)}${this.#name}${this.tail.json}}`;
  }

  override get hasStacks(): boolean {
    return super.hasStacks || this.tail?.hasStacks === true;
  }

  override writeTo(writer: JsonWriter): void {
    const { tail } = this;
    if (tail === null) super.writeTo(writer);
    else {
      writer.copy(this.writer, this.start, this.end - 1);
      writer.ascii(this.#name);
      writer.copy(tail.writer, tail.start, tail.end);
      writer.byte(CLOSE);
    }
  }
}

/** The bindings of a function whose return value is captured later than the bindings. */
export class UnreturnedText extends ExtendedText {
  /** True if the bindings refer to objects that an earlier step shows. */
  readonly hasSeen: boolean;

  constructor(bindings: CapturedText, hasSeen: boolean) {
    super(bindings, ',"returnValue":', null);
    this.hasSeen = hasSeen;
  }
}

/** A value of a step: captured JSON, or plain data. */
export type StepValue = CapturedText | CapturedValue;
