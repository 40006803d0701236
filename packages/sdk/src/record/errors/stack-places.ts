import { readErrorStack } from '../snapshot/error.ts';
import { countJsonBytes, type Shorten, shortenText } from '../snapshot/text.ts';
import type { DeferredStacks } from './deferred-stacks.ts';

/** Maximum size of the JSON of a stack among captured values, in bytes. */
export const SHOWN_STACK_BYTES = 1600;
const SHOWN_LENGTH = 1400;
/** Bytes for the name of the `stack` property, and for the text that marks a cut stack. */
const MARGIN = 50;
const MAX_BYTES = SHOWN_STACK_BYTES - MARGIN;

/** The byte before and after the number of a stack in a placeholder. JSON never contains this byte, because it is escaped in strings. */
export const HOLE = 0x01;
const hole = '\u0001';

interface PlaceWriter {
  byte(value: number): void;
  integer(value: number): void;
}

/** Stacks of the errors among a request's captured values. The stacks are read later than the values. */
export class ShownStacks {
  /** Stacks by number. A text is undefined if the error has no stack or the stack is not read yet. */
  readonly texts: (string | undefined)[] = [];
  readonly #deferred: DeferredStacks;
  /** Removes secrets from a stack. */
  readonly #clean: (text: string) => string;
  readonly #shorten: Shorten;

  constructor(deferred: DeferredStacks, clean: (text: string) => string, shorten: Shorten) {
    this.#deferred = deferred;
    this.#clean = clean;
    this.#shorten = shorten;
  }

  /** Writes a placeholder for the stack of `error`. {@link filled} later replaces the placeholder with the stack. */
  leavePlace(writer: PlaceWriter, error: object): void {
    const index = this.texts.length;
    this.texts[index] = undefined;
    writer.byte(HOLE);
    writer.integer(index);
    writer.byte(HOLE);
    this.#deferred.defer(error, () => {
      this.texts[index] = readStackText(error, this.#clean, this.#shorten);
    });
  }

  /** Returns the JSON with each placeholder replaced by a `stack` property. */
  filled(json: string): string {
    return json
      .split(hole)
      .map((part, index) => (index % 2 === 0 ? part : writeStackProperty(this.texts[Number(part)])))
      .join('');
  }
}

function readStackText(error: object, clean: (text: string) => string, shorten: Shorten): string | undefined {
  try {
    const stack = readErrorStack(error);
    return stack === undefined ? undefined : clean(cutStack(stack, shorten));
  } catch {
    // The host application has patched a built-in that this function uses.
    return undefined;
  }
}

/** Cuts the stack to the byte limit. A stack can have more bytes than characters, for example if folder names contain non-ASCII letters. */
function cutStack(stack: string, shorten: Shorten): string {
  let length = SHOWN_LENGTH;
  for (;;) {
    const shown = shortenText(stack, length, shorten);
    const bytes = countJsonBytes(shown);
    if (bytes <= MAX_BYTES) return shown;
    length = Math.min(length - 1, Math.floor((length * MAX_BYTES) / bytes));
  }
}

function writeStackProperty(text: string | undefined): string {
  return text === undefined ? '' : `,"stack":${JSON.stringify(text)}`;
}
