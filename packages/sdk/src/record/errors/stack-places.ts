import { errorStack } from '../snapshot/error.ts';
import { excerpt, jsonBytes } from '../snapshot/text.ts';
import type { JsonWriter } from '../writer/json-writer.ts';
import type { DeferredStacks } from './deferred-stacks.ts';

/** The largest size of a stack among the values, bytes of JSON. */
export const SHOWN_STACK_BYTES = 1600;
const SHOWN_LENGTH = 1400;
/** For its name and the words that say that it was cut. */
const MARGIN = 50;
const MAX_BYTES = SHOWN_STACK_BYTES - MARGIN;

/** Around the number of a stack. No JSON has this byte: within a text it is escaped. */
const HOLE = 0x01;
const hole = '\u0001';

/** The stacks of the errors among a request's values: they are read later than the values. */
export class ShownStacks {
  /** By number; undefined where there is none to be shown, or none yet. */
  readonly texts: (string | undefined)[] = [];
  readonly #deferred: DeferredStacks;
  /** Takes the secrets out. */
  readonly #clean: (text: string) => string;

  constructor(deferred: DeferredStacks, clean: (text: string) => string) {
    this.#deferred = deferred;
    this.#clean = clean;
  }

  /** Leaves a place for the stack of `error`: it is written there when the text is read. */
  leavePlace(writer: JsonWriter, error: object): void {
    const index = this.texts.length;
    this.texts[index] = undefined;
    writer.byte(HOLE);
    writer.integer(index);
    writer.byte(HOLE);
    this.#deferred.defer(error, () => {
      this.texts[index] = stackText(error, this.#clean);
    });
  }

  /** The JSON with a `stack` at each place that was left for one. */
  filled(json: string): string {
    return json
      .split(hole)
      .map((part, index) => (index % 2 === 0 ? part : stackProperty(this.texts[Number(part)])))
      .join('');
  }
}

/** True if a place for a stack lies between `start` and `end`. */
export function hasPlaces({ stacks, bytes }: JsonWriter, start: number, end: number): boolean {
  return stacks !== null && bytes.subarray(start, end).includes(HOLE);
}

function stackText(error: object, clean: (text: string) => string): string | undefined {
  try {
    const stack = errorStack(error);
    return stack === undefined ? undefined : clean(shownPart(stack));
  } catch {
    // The host has replaced something of the language that this needs.
    return undefined;
  }
}

/** As much as fits: in folders with letters beyond ASCII a stack has more bytes than characters. */
function shownPart(stack: string): string {
  let length = SHOWN_LENGTH;
  for (;;) {
    const shown = excerpt(stack, length);
    const bytes = jsonBytes(shown);
    if (bytes <= MAX_BYTES) return shown;
    length = Math.min(length - 1, Math.floor((length * MAX_BYTES) / bytes));
  }
}

function stackProperty(text: string | undefined): string {
  return text === undefined ? '' : `,"stack":${JSON.stringify(text)}`;
}
