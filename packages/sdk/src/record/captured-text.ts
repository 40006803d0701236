import type { CapturedValue } from '@throughline/contract/values';
import { fragment, type JsonTape } from './json-tape.ts';
import { hasPlaces } from './shown-stacks.ts';
import { bufferToString } from './snapshot-intrinsics.ts';

/** A captured value: a part of its recording's buffer, valid as long as that buffer is kept. */
export class CapturedText {
  readonly tape: JsonTape;
  readonly start: number;
  readonly end: number;
  /** True where secrets were removed during capture. */
  readonly clean: boolean;

  constructor(tape: JsonTape, start: number, end: number, clean: boolean) {
    this.tape = tape;
    this.start = start;
    this.end = end;
    this.clean = clean;
  }

  get json(): string {
    const { stacks } = this.tape;
    const json = bufferToString(this.tape.bytes, 'utf8', this.start, this.end);
    return stacks !== null && this.hasStacks ? stacks.filled(json) : json;
  }

  /** True where the value has error stacks, which are not in the buffer. */
  get hasStacks(): boolean {
    return hasPlaces(this.tape, this.start, this.end);
  }

  /** Copies the text to another buffer. Only for values without stacks. */
  writeTo(tape: JsonTape): void {
    tape.copy(this.tape, this.start, this.end);
  }

  /** Returns the value as plain data. */
  read(): CapturedValue {
    return JSON.parse(this.json);
  }
}

const RETURN_VALUE = ',"returnValue":';
const returnValueIs = fragment(RETURN_VALUE);
const CLOSE = 0x7d;

/** The bindings of a function whose return value is captured later than the bindings. */
export class UnreturnedText extends CapturedText {
  /** True where the bindings refer to objects that an earlier step showed. */
  readonly hasSeen: boolean;
  /** The return value and the text after it. */
  tail: CapturedText | null = null;

  constructor({ tape, start, end, clean }: CapturedText, hasSeen: boolean) {
    super(tape, start, end, clean);
    this.hasSeen = hasSeen;
  }

  override get json(): string {
    const json = super.json;
    return this.tail === null ? json : `${json.slice(0, -1)}${RETURN_VALUE}${this.tail.json}}`;
  }

  override get hasStacks(): boolean {
    return super.hasStacks || this.tail?.hasStacks === true;
  }

  override writeTo(tape: JsonTape): void {
    const { tail } = this;
    if (tail === null) super.writeTo(tape);
    else {
      tape.copy(this.tape, this.start, this.end - 1);
      tape.fragment(returnValueIs);
      tape.copy(tail.tape, tail.start, tail.end);
      tape.byte(CLOSE);
    }
  }
}

/** A value of a step: captured text, or plain data. */
export type StepValue = CapturedText | CapturedValue;
