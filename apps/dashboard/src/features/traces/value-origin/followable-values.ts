import type { CapturedValue, ValuePath, ValuePlace } from '@throughline/contract';
import {
  addKeys,
  classifyValue,
  escapeControlCharacters,
  formatPath,
  listParts,
  summariseInLine,
} from '@throughline/contract/captured';

/** A value of a call that the user can follow. */
export interface FollowableValue {
  readonly place: ValuePlace;
  readonly path: ValuePath;
  readonly name: string;
  readonly text: string;
}

/** The captured values of a call at one place, such as the parameters. */
interface Captured {
  readonly place: ValuePlace;
  readonly value: CapturedValue | undefined;
}

/** Maximum number of values to offer. The step's details next to the graph show all values. */
const MAX_OFFERED = 12;
/** Values deeper than this in an object are not offered. */
const MAX_LEVELS = 3;
/** Maximum number of an object's members that are read. */
const MAX_MEMBERS = 50;
const MIN_TEXT = 2;
const MIN_NUMBER = 100;

/**
 * Lists values of a call that probably occur in other calls, too: texts, numbers and dates that are not too short to be recognized. The
 * server then decides if a value can be followed.
 */
export function listFollowableValues(parts: readonly Captured[]): readonly FollowableValue[] {
  const found: FollowableValue[] = [];
  for (const { place, value } of parts) {
    if (value !== undefined && place !== 'metadata') visit(found, { place, value, path: [] });
  }
  return found;
}

interface Position {
  readonly place: ValuePlace;
  readonly value: CapturedValue;
  readonly path: ValuePath;
}

function visit(found: FollowableValue[], { place, value, path }: Position): void {
  if (found.length >= MAX_OFFERED) return;
  if (isRecognizable(value)) {
    const name = path.length === 0 ? NAMES[place] : escapeControlCharacters(formatPath(path));
    const text = summariseInLine(value);
    // Each name and text is offered once, because a parameter is often also an input or a variable.
    if (name !== undefined && !found.some((other) => other.name === name && other.text === text))
      found.push({ place, path, name, text });
  }
  if (path.length >= MAX_LEVELS) return;
  for (const part of addKeys(listParts(value).children.slice(0, MAX_MEMBERS)))
    visit(found, { place, value: part.value, path: [...path, part.key] });
}

/** Names of values that are offered as a whole, not as a member of an object. */
const NAMES: Partial<Record<ValuePlace, string>> = { returnValue: 'return value', outputs: 'output' };

function isRecognizable(value: CapturedValue): boolean {
  const shape = classifyValue(value);
  if (shape.kind === 'form') return shape.form.$type === 'Date' || shape.form.$type === 'bigint';
  if (shape.kind !== 'simple') return false;
  if (typeof shape.value === 'string') return shape.value.trim().length >= MIN_TEXT;
  if (typeof shape.value !== 'number') return false;
  return !Number.isInteger(shape.value) || Math.abs(shape.value) >= MIN_NUMBER;
}
