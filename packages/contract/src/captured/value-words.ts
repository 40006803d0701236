import { formatBytes, formatCount } from '../format/formats.ts';
import type { CapturedValue, TaggedValue } from '../values.ts';
import { type ChildLabel, listParts } from './value-children.ts';
import { classifyValue } from './value-shape.ts';

/** Text for a value that JSON cannot represent: its class name, and the remaining text. */
export interface FormWords {
  readonly className?: string;
  readonly text: string;
}

/** A tagged value that {@link formatFormWords} does not format, because its members, items or characters are shown instead. */
export type FormOfParts = TaggedValue & { readonly $type: 'object' | 'array' | 'string' };

/** Formats a value that JSON cannot represent. Control characters are not escaped. */
export function formatFormWords(value: Exclude<TaggedValue, FormOfParts>): FormWords {
  switch (value.$type) {
    case 'undefined':
      return { text: 'undefined' };
    case 'number':
      return { text: value.value };
    case 'bigint':
      return { text: `${value.value}n` };
    case 'symbol':
      return { text: `Symbol(${value.description})` };
    case 'function':
      return { text: `${value.isClass === true ? 'class' : 'ƒ'} ${value.name || '(anonymous)'}` };
    case 'Date':
      return { text: value.value ?? 'Invalid Date', className: 'Date' };
    case 'RegExp':
      return { text: `/${value.source}/${value.flags}` };
    case 'Map':
    case 'Set':
      return { text: `${value.$type}(${formatCount(value.size)})` };
    case 'Buffer':
      return { text: formatBytes(value.size), className: 'Buffer' };
    case 'TypedArray':
      return { text: `${value.class}(${formatCount(value.length)})` };
    case 'Error':
      return { text: value.message, className: value.class };
    case 'reference':
      return { text: `‹same as ${formatPath(value.path) || 'the whole value'}${stepText(value.step)}›` };
    case 'hole':
      return { text: 'empty' };
    case 'accessor':
      return { text: '‹getter, not read›' };
    case 'proxy':
      return { text: '‹proxy, not read›' };
    case 'cut': {
      const size = value.size === undefined ? '' : `(${formatCount(value.size)})`;
      return { text: `‹${value.of}${size} not captured: ${CUT_REASONS[value.reason] ?? value.reason}›` };
    }
    case 'redacted':
      return { text: `‹redacted ${value.of}›` };
  }
}

function stepText(step: string | undefined): string {
  return step === undefined ? '' : ` of step ${step}`;
}

const CUT_REASONS: Readonly<Record<string, string>> = {
  depth: 'too deep',
  bytes: 'too large',
  items: 'too many',
  budget: 'over the CPU budget',
};

/** Formats a value without its parts. Returns an empty string for lists, and for objects without a class name. */
export function formatOwnText(value: CapturedValue): string {
  const shape = classifyValue(value);
  if (shape.kind === 'list' || shape.kind === 'object') return '';
  if (shape.kind === 'simple') return String(shape.value);
  const { form } = shape;
  if (form.$type === 'string') return form.value;
  if (form.$type === 'array') return '';
  if (form.$type === 'object') return form.class ?? '';
  const { className = '', text } = formatFormWords(form);
  return `${className} ${text}`;
}

/** Formats the name that is shown before a value. Returns an empty string for an index. */
export function formatName(label: ChildLabel): string {
  switch (label.kind) {
    case 'index':
      return '';
    case 'entry':
      return formatOwnText(label.key);
    default:
      return label.text;
  }
}

/** Lists all names and values in a captured value at any depth, one per line. */
export function listWords(value: CapturedValue): string {
  const words: string[] = [];
  const pending = [value];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const shape = classifyValue(at);
    switch (shape.kind) {
      case 'simple':
        words.push(String(shape.value));
        break;
      case 'list':
        for (const item of shape.items) pending.push(item);
        break;
      case 'object':
        for (const name in shape.properties) {
          words.push(name);
          pending.push(shape.properties[name] as CapturedValue);
        }
        break;
      case 'form':
        words.push(formatOwnText(at));
        for (const child of listParts(at).children) {
          words.push(formatName(child.label));
          pending.push(child.value);
        }
    }
  }
  return words.join('\n');
}

/** Formats a path as code: `order.items[0]["shipping-address"]`. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}
