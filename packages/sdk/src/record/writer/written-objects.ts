import type { JsonWriter } from './json-writer.ts';
import { buildFragment } from './json-writer.ts';
import { weakGet, weakSet } from './primordials.ts';
import { NO_PLACE, type Root, writeSegments } from './value-path.ts';

/** Minimum size of JSON that is replaced by a reference, in bytes. Shorter JSON is written again. */
export const MIN_REFERRED = 100;
/**
 * Maximum number of places per trace. Each state of an object that is captured takes a place. An object without a place is written in full.
 */
const MAX_PLACES = 4000;

const stepIs = buildFragment('{"$type":"reference","step":"');
const pathIs = buildFragment('","path":[');
const inStep = buildFragment('{"$type":"reference","path":[');
const closing = buildFragment('},');
const CLOSE_LIST = 0x5d;

/**
 * Records where the objects of a trace were written, so that an unchanged object is written only once. Two states of an object are compared
 * by their JSON. A nested object counts as unchanged if its place, at which its JSON was first written, is the same in both states. Does
 * not retain the objects in memory.
 */
export class WrittenObjects {
  #step = 0;
  /** True if objects are neither tracked nor replaced by references. */
  paused = true;
  #latest: WeakMap<object, number> | undefined;
  #count = 0;
  // Each field of a place has a list of its own.
  readonly #parents: number[] = [];
  readonly #keys: (string | number)[] = [];
  readonly #roots: Root[] = [];
  readonly #steps: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #firstChildren: number[] = [];
  readonly #childCounts: number[] = [];
  // The direct children of the tracked objects: the position in the parent's JSON, and the place at which the child was first written.
  readonly #childStarts: number[] = [];
  readonly #childEnds: number[] = [];
  readonly #childPlaces: number[] = [];
  // The children of objects that are not completely written yet: their number, start positions, end positions and places.
  #openCount = 0;
  readonly #openStarts: number[] = [];
  readonly #openEnds: number[] = [];
  readonly #openPlaces: number[] = [];

  /** Sets the step to which the following objects belong; -1 if they belong to no step. */
  beginStep(step: number): void {
    this.#step = step;
    this.paused = step < 0;
    this.#openCount = 0;
  }

  get openCount(): number {
    return this.#openCount;
  }

  /** Creates a place for an object whose JSON begins at `start`. */
  open(root: Root, parent: number, key: string | number, start: number): number {
    const place = this.#count;
    if (this.paused || place >= MAX_PLACES) return NO_PLACE;
    this.#parents[place] = parent;
    this.#keys[place] = key;
    this.#roots[place] = root;
    this.#steps[place] = this.#step;
    this.#starts[place] = start;
    this.#ends[place] = NO_PLACE;
    this.#count = place + 1;
    return place;
  }

  /**
   * Completes the object at `place`. The object's JSON ends at `end`, and the open children from index `firstOpen` on are its children. If
   * the object was written with the same JSON before, returns the earlier place, otherwise `place`.
   */
  close(writer: JsonWriter, value: object, place: number, end: number, firstOpen: number): number {
    const start = this.#starts[place] ?? 0;
    this.#latest ??= new WeakMap();
    const before = weakGet(this.#latest, value);
    if (before !== undefined && this.#isSame(writer, before, start, end, firstOpen)) {
      this.#openCount = firstOpen;
      // The objects inside are unchanged, too, so nothing refers to their new places.
      this.#count = place;
      return before;
    }
    const first = this.#childStarts.length;
    this.#firstChildren[place] = first;
    this.#childCounts[place] = this.#openCount - firstOpen;
    for (let open = firstOpen; open < this.#openCount; open++) {
      const index = first + open - firstOpen;
      this.#childStarts[index] = (this.#openStarts[open] ?? 0) - start;
      this.#childEnds[index] = (this.#openEnds[open] ?? 0) - start;
      this.#childPlaces[index] = this.#openPlaces[open] ?? NO_PLACE;
    }
    this.#openCount = firstOpen;
    this.#ends[place] = end;
    weakSet(this.#latest, value, place);
    return place;
  }

  /**
   * Records a child of the object that is being written. The JSON from `start` to `end` is the child at `place`, or a reference to that
   * child.
   */
  noteChild(start: number, end: number, place: number): void {
    const open = this.#openCount++;
    this.#openStarts[open] = start;
    this.#openEnds[open] = end;
    this.#openPlaces[open] = place;
  }

  #isSame(writer: JsonWriter, before: number, start: number, end: number, firstOpen: number): boolean {
    const first = this.#firstChildren[before] ?? 0;
    const count = this.#childCounts[before] ?? 0;
    if (count !== this.#openCount - firstOpen) return false;
    const origin = this.#starts[before] ?? 0;
    let there = origin;
    let here = start;
    for (let child = 0; child < count; child++) {
      const open = firstOpen + child;
      if (this.#openPlaces[open] !== this.#childPlaces[first + child]) return false;
      const upTo = this.#openStarts[open] ?? 0;
      if (upTo - here !== origin + (this.#childStarts[first + child] ?? 0) - there) return false;
      if (!isEqual(writer, there, here, upTo - here)) return false;
      here = this.#openEnds[open] ?? 0;
      there = origin + (this.#childEnds[first + child] ?? 0);
    }
    const length = end - here;
    return length === (this.#ends[before] ?? 0) - there && isEqual(writer, there, here, length);
  }

  /** True if the object at `place` is completely written. */
  isClosed(place: number): boolean {
    return place !== NO_PLACE && (this.#ends[place] ?? NO_PLACE) !== NO_PLACE;
  }

  /** Corrects the stored positions after `size` bytes were inserted at `start`. */
  noteInserted(start: number, size: number): void {
    for (let place = this.#count - 1; place >= 0 && (this.#starts[place] ?? 0) > start; place--) {
      this.#starts[place] = (this.#starts[place] ?? 0) + size;
      this.#ends[place] = (this.#ends[place] ?? 0) + size;
    }
    for (let open = this.#openCount - 1; open >= 0 && (this.#openStarts[open] ?? 0) > start; open--) {
      this.#openStarts[open] = (this.#openStarts[open] ?? 0) + size;
      this.#openEnds[open] = (this.#openEnds[open] ?? 0) + size;
    }
  }

  /**
   * Writes a reference such as `{"$type":"reference","step":"7","path":["inputs","order"]}`. Leaves out `step` if the place belongs to the
   * current step.
   */
  writeReference(writer: JsonWriter, place: number): void {
    const step = this.#steps[place] ?? 0;
    if (step === this.#step) writer.fragment(inStep);
    else {
      writer.fragment(stepIs);
      writer.integer(step + 1);
      writer.fragment(pathIs);
    }
    this.#writePath(writer, place);
    writer.close(CLOSE_LIST);
    writer.end--;
    writer.fragment(closing);
  }

  #writePath(writer: JsonWriter, place: number): void {
    const parent = this.#parents[place] ?? NO_PLACE;
    if (parent === NO_PLACE) writeSegments(writer, this.#roots[place] ?? []);
    else {
      this.#writePath(writer, parent);
      writeSegments(writer, [this.#keys[place] ?? '']);
    }
  }

  /** Stops tracking the objects, so that no later value refers to the JSON that is in the buffer now. */
  forget(): void {
    this.#latest = undefined;
    this.#openCount = 0;
    this.paused = true;
  }

  /**
   * Frees the lists, because a socket or timer of a finished request can reference this object for a long time. Afterwards, no object is
   * recognized.
   */
  release(): void {
    this.forget();
    // Setting the length of a list is slow, and the lists of most requests without values are empty.
    if (this.#count === 0 && this.#openStarts.length === 0) {
      this.#count = MAX_PLACES;
      return;
    }
    this.#count = MAX_PLACES;
    this.#parents.length = this.#keys.length = this.#roots.length = this.#steps.length = 0;
    this.#starts.length = this.#ends.length = this.#firstChildren.length = this.#childCounts.length = 0;
    this.#childStarts.length = this.#childEnds.length = this.#childPlaces.length = 0;
    this.#openStarts.length = this.#openEnds.length = this.#openPlaces.length = 0;
  }
}

function isEqual({ bytes }: JsonWriter, there: number, here: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (bytes[there + index] !== bytes[here + index]) return false;
  return true;
}
