import type { JsonWriter } from './json-writer.ts';

/** Path of a captured value in its step, such as `['parameters', 'order']` or `['outputs']`. */
export type Root = readonly (string | number)[];

/** Stands for the place of an object that was not written. */
export const NO_PLACE = -1;

/** Writes the segments of a path, each followed by a comma. */
export function writeSegments(writer: JsonWriter, segments: readonly (string | number)[]): void {
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index] ?? '';
    if (typeof segment === 'string') writer.string(segment);
    else writer.number(segment < 0 ? -1 - segment : segment);
    writer.comma();
    if (typeof segment === 'number' && segment < 0) {
      writer.string('key');
      writer.comma();
    }
  }
}
