import type { JsonTape } from './json-tape.ts';
import { errorStack } from './snapshot-error.ts';
import { excerpt, jsonBytes } from './snapshot-text.ts';

/** What a stack among the values takes at most, in bytes of JSON. */
export const SHOWN_STACK_BYTES = 1600;
const SHOWN_LENGTH = 1400;
/** Of one that is not of plain text: a character may take six bytes. */
const SHORT_LENGTH = 240;
/** For its name and the words that say that it was cut. */
const MARGIN = 50;

/** Around the number of a stack that is still to be read. No JSON has this byte: within a text it is escaped. */
const HOLE = 0x01;
const hole = '\u0001';

/** An error among the values, whose stack was not read yet. */
interface Shown {
  readonly error: object;
  readonly before: Shown | null;
}

/**
 * The stacks of the errors among a request's values. V8 writes a stack out when it is first asked for, with the message that the error has then, and leaves it so:
 * a host that says more in its messages on an error's way up would miss that in its own logs. So nobody asks before the request is over.
 */
export class ShownStacks {
  /** By number, once they are read; undefined where there is none to be shown. */
  readonly texts: (string | undefined)[] = [];
  private last: Shown | null = null;
  private waiting = 0;

  /** Leaves a place for the stack of `error`: it is written there when the text is read. */
  leavePlace(tape: JsonTape, error: object): void {
    tape.byte(HOLE);
    tape.integer(this.texts.length + this.waiting);
    tape.byte(HOLE);
    this.last = { error, before: this.last };
    this.waiting++;
  }

  /** Reads those that were not read yet; `clean` takes the secrets out. Never throws. */
  read(clean: (text: string) => string): void {
    const first = this.texts.length;
    for (let shown = this.last, at = first + this.waiting - 1; shown !== null; shown = shown.before, at--)
      this.texts[at] = textOf(shown.error, clean);
    this.last = null;
    this.waiting = 0;
  }

  /** The JSON with a `stack` at each place that was left for one. */
  filled(json: string): string {
    return json
      .split(hole)
      .map((part, index) => (index % 2 === 0 ? part : stackProperty(this.texts[Number(part)])))
      .join('');
  }
}

/** Whether a place was left for a stack between `start` and `end`. */
export function hasPlaces({ stacks, bytes }: JsonTape, start: number, end: number): boolean {
  return stacks !== null && bytes.subarray(start, end).includes(HOLE);
}

function textOf(error: object, clean: (text: string) => string): string | undefined {
  try {
    const stack = errorStack(error);
    return stack === undefined ? undefined : clean(shownPart(stack));
  } catch {
    // The host has replaced something of the language that this needs.
    return undefined;
  }
}

function shownPart(stack: string): string {
  const shown = excerpt(stack, SHOWN_LENGTH);
  return jsonBytes(shown) <= SHOWN_STACK_BYTES - MARGIN ? shown : excerpt(stack, SHORT_LENGTH);
}

function stackProperty(text: string | undefined): string {
  return text === undefined ? '' : `,"stack":${JSON.stringify(text)}`;
}
