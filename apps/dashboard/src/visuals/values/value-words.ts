import type { CapturedValue } from '@throughline/contract';
import { type ChildLabel, partsOf } from './value-children.ts';
import { shapeOf } from './value-shape.ts';
import { summarise } from './value-summary.ts';

/** Writes the value itself, without the text that a closed line begins with. */
export function ownText(value: CapturedValue): string {
  const shape = shapeOf(value);
  if (shape.kind === 'list' || shape.kind === 'object') return '';
  if (shape.kind === 'simple') return String(shape.value);
  if (shape.form.$type === 'string') return shape.form.value;
  if (shape.form.$type === 'array') return '';
  if (shape.form.$type === 'object') return shape.form.class ?? '';
  const { className = '', text } = summarise(value);
  return `${className} ${text}`;
}

/** The name before a value; nothing for an index. */
export function nameOf(label: ChildLabel): string {
  switch (label.kind) {
    case 'index':
      return '';
    case 'entry':
      return ownText(label.key);
    default:
      return label.text;
  }
}

/** All names and values of a captured value, however deep, one a line. */
export function wordsIn(value: CapturedValue): string {
  const words: string[] = [];
  const pending = [value];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    words.push(ownText(at));
    for (const child of partsOf(at).children) {
      words.push(nameOf(child.label));
      pending.push(child.value);
    }
  }
  return words.join('\n');
}
