import type { CapturedValue } from '../values.ts';
import type { ValueChild } from './value-children.ts';
import { classifyValue } from './value-shape.ts';
import { formatOwnText } from './value-words.ts';

/** Types of tagged values that `formatOwnText` describes completely. */
const FORMS_IN_WORDS = ['undefined', 'number', 'bigint', 'symbol', 'Date', 'RegExp', 'function', 'redacted'];

/** A direct part of a value (member, item or entry), and its key in a path. */
export interface KeyedPart extends ValueChild {
  readonly key: string | number;
}

/**
 * Adds to each part of a value its key in a path: its index, its name, or the text of a Map's key. Keys of a value's parts are unique: if
 * two parts would have the same key, the second key ends in ` (2)`.
 */
export function addKeys(children: readonly ValueChild[]): readonly KeyedPart[] {
  const used = new Set<string | number>();
  return children.map(({ label, value }) => {
    if (label.kind === 'index') return { key: label.index, label, value };
    const text = label.kind === 'entry' ? writeMapKey(label.key) : label.text;
    let key = text;
    for (let times = 2; used.has(key); times += 1) key = `${text} (${times})`;
    used.add(key);
    return { key, label, value };
  });
}

/**
 * Formats a Map's key so that keys of different types have different texts. Every key that is not a string gets its type at the end, such
 * as `1 (number)`. A string that ends with `)` also gets its type, because it could look like such a key.
 */
function writeMapKey(key: CapturedValue): string {
  const shape = classifyValue(key);
  switch (shape.kind) {
    case 'simple': {
      const text = String(shape.value);
      if (typeof shape.value === 'string' && !text.endsWith(')')) return text;
      return `${text} (${shape.value === null ? 'null' : typeof shape.value})`;
    }
    case 'form': {
      const { $type } = shape.form;
      const text = FORMS_IN_WORDS.includes($type) ? formatOwnText(key).trim() : writeSorted(key);
      return `${text} (${$type})`;
    }
    default:
      return `${writeSorted(key)} (${shape.kind})`;
  }
}

/** Formats a value as JSON with sorted members, so that the members' order does not matter. */
function writeSorted(value: CapturedValue): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
