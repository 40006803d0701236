import type { CapturedValue, Step, ValuePath, ValuePlace } from '@throughline/contract';
import { classifyValue, findValueAt, listParts } from '@throughline/contract/captured';

interface NamedValue {
  /** The line that binds the name, if several bindings have the same name; otherwise 0. */
  readonly fromLine: number;
  readonly value: CapturedValue;
  readonly at: ValuePosition;
}

/** The position of a value among a step's captured values. */
export interface ValuePosition {
  readonly place: ValuePlace;
  readonly path: ValuePath;
}

/** The value of a name, or of a name followed by properties. */
export interface FoundValue {
  /** The expression in the code: `order.total`. */
  readonly label: string;
  readonly value: CapturedValue;
  /** Undefined for a value that was not captured but follows from captured values, such as the length of a list. */
  readonly at?: ValuePosition;
}

/** A captured name with the line that binds it, if several bindings have the same name: `rate@12`. */
const BINDING = /^(.+)@(\d{1,7})$/;

/** A step's captured values by their names in the code. */
export class CapturedNames {
  readonly #byName = new Map<string, NamedValue[]>();

  constructor({ variables, inputs }: Pick<Step, 'variables' | 'inputs'>) {
    if (variables?.parameters === undefined) this.#add('inputs', inputs);
    else this.#add('parameters', variables.parameters);
    this.#add('localVariables', variables?.localVariables);
    if (variables?.thisContext !== undefined)
      this.#name('this', { fromLine: 0, value: variables.thisContext, at: THIS });
  }

  #add(place: ValuePlace, values: CapturedValue | undefined): void {
    const shape = values === undefined ? undefined : classifyValue(values);
    if (shape?.kind !== 'object') return;
    for (const [binding, value] of Object.entries(shape.properties)) {
      const [, name = binding, line = '0'] = BINDING.exec(binding) ?? [];
      this.#name(name, { fromLine: Number(line), value, at: { place, path: [binding] } });
    }
  }

  #name(name: string, value: NamedValue): void {
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), value]);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /**
   * Finds the value of an expression such as `order.lines.length` on a line. The result's `label` ends before the first property
   * whose value is unknown.
   */
  find(name: string, properties: readonly string[], line: number): FoundValue | undefined {
    const named = this.#byName
      .get(name)
      ?.filter(({ fromLine }) => fromLine <= line)
      .toSorted((a, b) => b.fromLine - a.fromLine)[0];
    if (named === undefined) return undefined;
    let label = name;
    let { value } = named;
    let path: ValuePath | undefined = named.at.path;
    for (const property of properties) {
      const inner = readProperty(value, property);
      if (inner === undefined) break;
      path = path && hasCaptured(value, property) ? [...path, property] : undefined;
      label += `.${property}`;
      value = inner;
    }
    if (name === 'this' && label === name) return undefined;
    return { label, value, ...(path !== undefined && { at: { place: named.at.place, path } }) };
  }
}

const THIS: ValuePosition = { place: 'thisContext', path: [] };
const UNDEFINED = { $type: 'undefined' } as const;

/** True if the property itself was captured. Not captured: the length of a list, and a property that an object lacks. */
function hasCaptured(value: CapturedValue, name: string): boolean {
  return findValueAt(value, [name]) !== undefined;
}

/**
 * Reads an own property. Returns `UNDEFINED` for a property that a plain object lacks. Returns undefined if nothing is known about the
 * property, for example because it was not captured.
 */
function readProperty(value: CapturedValue, name: string): CapturedValue | undefined {
  const shape = classifyValue(value);
  if (shape.kind === 'object') {
    if (Object.hasOwn(shape.properties, name)) return shape.properties[name];
    return name in Object.prototype ? undefined : UNDEFINED;
  }
  if (shape.kind === 'form' && shape.form.$type === 'object') {
    const { properties } = shape.form;
    return Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  if (name !== 'length') return undefined;
  if (shape.kind === 'list') return shape.items.length;
  if (shape.kind === 'simple') return typeof shape.value === 'string' ? shape.value.length : undefined;
  const { form } = shape;
  return form.$type === 'array' || form.$type === 'string' || form.$type === 'TypedArray'
    ? form.length
    : undefined;
}

/** True for a completely captured Map that lacks the key. Always false for a key that is an object. */
export function lacksKey(map: CapturedValue, key: CapturedValue): boolean {
  const shape = classifyValue(map);
  if (shape.kind !== 'form' || shape.form.$type !== 'Map') return false;
  const { children, missing } = listParts(map);
  if (missing > 0 || (typeof key === 'object' && key !== null)) return false;
  return children.every(({ label }) => label.kind === 'entry' && isOther(label.key, key));
}

function isOther(one: CapturedValue, key: CapturedValue): boolean {
  return (typeof one !== 'object' || one === null) && one !== key;
}
