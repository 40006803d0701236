import type { CapturedValue } from '@throughline/contract/values';
import type { JsonTape } from './json-tape.ts';
import { hasPlaces } from './shown-stacks.ts';
import { bufferToString } from './snapshot-intrinsics.ts';

/** A value as it was taken: a part of its recording's tape, for as long as that is kept. */
export class CapturedText {
  readonly tape: JsonTape;
  readonly start: number;
  readonly end: number;
  /** Whether secrets were taken out when it was taken. */
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

  /** Whether there are stacks of errors in it, which do not stand on the tape. */
  get hasStacks(): boolean {
    return hasPlaces(this.tape, this.start, this.end);
  }

  /** The value as plain data. */
  read(): CapturedValue {
    return JSON.parse(this.json);
  }
}

/** A value of a step: as it was taken, or as plain data. */
export type StepValue = CapturedText | CapturedValue;
