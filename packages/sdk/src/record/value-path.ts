import type { JsonTape } from './json-tape.ts';

/** Where a captured value stands in its step: `['parameters', 'order']`, or `['returnValue']`. */
export type Root = readonly (string | number)[];

/** Stands for no place where an object was written. */
export const NO_PLACE = -1;

/** Writes what stands between the brackets of a path, with a comma at its end. */
export function writeSegments(tape: JsonTape, segments: readonly (string | number)[]): void {
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index] ?? '';
    if (typeof segment === 'string') tape.string(segment);
    else tape.number(segment < 0 ? -1 - segment : segment);
    tape.comma();
    if (typeof segment === 'number' && segment < 0) {
      tape.string('key');
      tape.comma();
    }
  }
}
