import type { CapturedValue, TaggedValue } from '../values.ts';
import { classifyValue, type Properties } from './value-shape.ts';

/** Label before a child's value: a name, an index, or a Map's key. */
export type ChildLabel =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'entry'; readonly key: CapturedValue }
  | { readonly kind: 'meta'; readonly text: string };

export interface ValueChild {
  readonly label: ChildLabel;
  readonly value: CapturedValue;
}

/** The direct parts of an expanded value (members, items or entries), and the number of parts that were not captured. */
export interface ValueParts {
  readonly children: readonly ValueChild[];
  readonly missing: number;
}

const NO_PARTS: ValueParts = { children: [], missing: 0 };

export function listParts(value: CapturedValue): ValueParts {
  const shape = classifyValue(value);
  switch (shape.kind) {
    case 'simple':
      return NO_PARTS;
    case 'list':
      return { children: listItems(shape.items), missing: 0 };
    case 'object':
      return { children: listProperties(shape.properties), missing: 0 };
    case 'form':
      return listFormParts(shape.form);
  }
}

function listFormParts(form: TaggedValue): ValueParts {
  switch (form.$type) {
    case 'Map':
      return {
        children: form.entries.map(([key, value]) => ({ label: { kind: 'entry', key }, value })),
        missing: countRest(form.size, form.entries.length),
      };
    case 'Set':
      return { children: listItems(form.values), missing: countRest(form.size, form.values.length) };
    case 'TypedArray':
    case 'array':
      return { children: listItems(form.values), missing: countRest(form.length, form.values.length) };
    case 'object': {
      const children = listProperties(form.properties);
      return { children, missing: countRest(form.size ?? children.length, children.length) };
    }
    case 'Error':
      return { children: listErrorParts(form), missing: 0 };
    default:
      return NO_PARTS;
  }
}

/** True if the value has parts and can therefore be expanded. */
export function hasParts(value: CapturedValue): boolean {
  const { children, missing } = listParts(value);
  return children.length > 0 || missing > 0;
}

function listErrorParts(error: TaggedValue & { $type: 'Error' }): ValueChild[] {
  const parts = listProperties(error.properties ?? {});
  if (error.cause !== undefined) parts.push({ label: { kind: 'meta', text: 'cause' }, value: error.cause });
  if (error.stack !== undefined) parts.push({ label: { kind: 'meta', text: 'stack' }, value: error.stack });
  return parts;
}

function listProperties(properties: Properties): ValueChild[] {
  return Object.entries(properties).map(([text, value]) => ({ label: { kind: 'key', text }, value }));
}

function listItems(values: readonly CapturedValue[]): ValueChild[] {
  return values.map((value, index) => ({ label: { kind: 'index', index }, value }));
}

function countRest(whole: number, shown: number): number {
  return Math.max(0, whole - shown);
}
