import type { CapturedValue } from '../values.ts';
import type { ValueChild } from './value-children.ts';
import { classifyValue } from './value-shape.ts';
import { ownText } from './value-words.ts';

/** Forms whose whole content is in their own text. */
const FORMS_IN_WORDS = ['undefined', 'number', 'bigint', 'symbol', 'Date', 'RegExp', 'function', 'redacted'];

/** A part of a value and its key in a path. */
export interface KeyedPart extends ValueChild {
  readonly key: string | number;
}

/**
 * Adds to each part its key in a path: its index, its name, or the text of a Map's key. No two parts of a
 * value have the same key: the second of two parts with the same text gets ` (2)`.
 */
export function keyParts(children: readonly ValueChild[]): readonly KeyedPart[] {
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
 * Writes a Map's key such that different keys have different texts. A text is written as it is; other keys
 * end with their type, such as `1 (number)`.
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
      const text = FORMS_IN_WORDS.includes($type) ? ownText(key).trim() : writeSorted(key);
      return `${text} (${$type})`;
    }
    default:
      return `${writeSorted(key)} (${shape.kind})`;
  }
}

/** Writes a value as JSON that does not depend on the order of members. */
function writeSorted(value: CapturedValue): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
