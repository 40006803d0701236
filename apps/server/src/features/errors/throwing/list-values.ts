import type { CapturedValue, ThrowingValue } from '@throughline/contract';
import {
  addKeys,
  classifyValue,
  describeKind,
  formatOwnText,
  isNotCaptured,
  listParts,
  summariseInLine,
} from '@throughline/contract/captured';
import { REDACTED_TEXT } from '@throughline/contract/redaction';

type Path = readonly (string | number)[];
export type Part = ThrowingValue['part'];

/** A captured value of a call, with its path. */
export interface PlacedValue {
  readonly part: Part;
  readonly path: Path;
  /** A key that is equal for equal values. */
  readonly key: string;
  readonly text: string;
}

export interface CallValues {
  readonly values: readonly PlacedValue[];
  /**
   * Returns true if the value is certainly missing: the object at the parent path was captured completely, and has no member of this name.
   */
  readonly lacks: (part: Part, path: Path) => boolean;
}

/** Maximum number of values that are listed per call, and maximum depth of a listed value. */
const MAX_VALUES = 500;
const MAX_DEPTH = 6;
/** Maximum number of items per list: further items add little information. */
const MAX_ITEMS = 5;
const MAX_KEY = 1000;
const MAX_TEXT = 200;
/** The characters with which `‹redacted›` and the text of a redacted key, such as `‹redacted string›`, begin. */
const REDACTED_BEGINNING = REDACTED_TEXT.slice(0, -1);

/** Lists the captured values of a call by path. Skips values that were redacted, truncated or not read, since they cannot be compared. */
export function listValues(parts: Readonly<Partial<Record<Part, CapturedValue>>>): CallValues {
  const values: PlacedValue[] = [];
  const whole = new Map<string, ReadonlySet<string | number>>();
  const pending = Object.entries(parts).map(([part, value]) => ({
    part: part as Part,
    path: [] as Path,
    value,
  }));
  for (let next = pending.shift(); next !== undefined && values.length < MAX_VALUES; next = pending.shift()) {
    const { part, path, value } = next;
    if (isHidden(value)) continue;
    const { children, missing } = listOwnParts(value);
    const isOpened = children.length > 0 && path.length < MAX_DEPTH;
    if (path.length > 0 && (isOpened || children.length === 0))
      values.push({ part, path, ...(isOpened ? describeOpened(value) : describeWhole(value)) });
    if (!isOpened) continue;
    const keyed = addKeys(children).filter(
      ({ key }) => typeof key === 'number' || !key.includes(REDACTED_BEGINNING),
    );
    if (missing === 0 && keyed.length === children.length && isObject(value))
      whole.set(placeKey(part, path), new Set(keyed.map(({ key }) => key)));
    for (const { key, value: child } of keyed) {
      if (typeof key === 'string' || key < MAX_ITEMS)
        pending.push({ part, path: [...path, key], value: child });
    }
  }
  return {
    values,
    lacks: (part, path) => {
      const members = whole.get(placeKey(part, path.slice(0, -1)));
      const last = path.at(-1);
      return members !== undefined && last !== undefined && !members.has(last);
    },
  };
}

export function placeKey(part: Part, path: Path): string {
  return JSON.stringify([part, ...path]);
}

/** True for a value that cannot be compared, because it was redacted, truncated or not read (a getter, proxy or reference). */
function isHidden(value: CapturedValue): boolean {
  return isNotCaptured(value) || formatOwnText(value).includes(REDACTED_TEXT);
}

/** Returns the members of a value. Errors are compared by message, not by stack. */
function listOwnParts(value: CapturedValue) {
  return describeKind(value) === 'Error' ? { children: [], missing: 0 } : listParts(value);
}

function isObject(value: CapturedValue): boolean {
  const shape = classifyValue(value);
  return shape.kind === 'object' || (shape.kind === 'form' && shape.form.$type === 'object');
}

/** Describes a value with members only by its type, since its members are listed as separate values. */
function describeOpened(value: CapturedValue): { key: string; text: string } {
  const kind = describeKind(value);
  const text = kind === 'array' ? '[…]' : kind === 'object' ? '{…}' : `${kind} {…}`;
  return { key: `kind ${kind}`, text: shorten(text) };
}

function describeWhole(value: CapturedValue): { key: string; text: string } {
  const key = describeKind(value) === 'Error' ? formatOwnText(value) : JSON.stringify(value);
  return {
    key: `value ${key.length > MAX_KEY ? `${key.slice(0, MAX_KEY)} ${key.length}` : key}`,
    text: shorten(summariseInLine(value)),
  };
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
