import type { JsonTape } from './json-tape.ts';

/** Place of a captured value in its step: `['parameters', 'order']`, or `['returnValue']`. */
export type Root = readonly (string | number)[];

/** The number for "written nowhere". */
export const NO_PLACE = -1;

/** Writes the elements of a path, with a comma at the end. */
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
