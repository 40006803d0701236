import type { CapturedValue, Step } from '@throughline/contract';
import { classifyValue, listParts } from '@throughline/contract/captured';

interface NamedValue {
  /** The line on which the name is bound, where several bindings have it; else 0. */
  readonly fromLine: number;
  readonly value: CapturedValue;
}

/** A value that code reads by a name, or by a name and properties of it. */
export interface FoundValue {
  /** As the code has it: `order.total`. */
  readonly label: string;
  readonly value: CapturedValue;
}

/** Bindings of one name are told apart by their lines: `rate@12`. */
const BINDING = /^(.+)@(\d{1,7})$/;

/** The values of a step by the names that its code has for them. */
export class CapturedNames {
  readonly #byName = new Map<string, NamedValue[]>();

  constructor({ variables, inputs }: Step) {
    this.#add(variables?.parameters ?? inputs);
    this.#add(variables?.localVariables);
    if (variables?.thisContext !== undefined) this.#add({ this: variables.thisContext });
  }

  #add(values: CapturedValue | undefined): void {
    const shape = values === undefined ? undefined : classifyValue(values);
    if (shape?.kind !== 'object') return;
    for (const [binding, value] of Object.entries(shape.properties)) {
      const [, name = binding, line = '0'] = BINDING.exec(binding) ?? [];
      const named = this.#byName.get(name) ?? [];
      named.push({ fromLine: Number(line), value });
      this.#byName.set(name, named);
    }
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The value that `name.property.property` had on a line: of as many properties as are known. */
  find(name: string, properties: readonly string[], line: number): FoundValue | undefined {
    const named = this.#byName
      .get(name)
      ?.filter(({ fromLine }) => fromLine <= line)
      .toSorted((a, b) => b.fromLine - a.fromLine)[0];
    if (named === undefined) return undefined;
    let label = name;
    let { value } = named;
    for (const property of properties) {
      const inner = readProperty(value, property);
      if (inner === undefined) break;
      label += `.${property}`;
      value = inner;
    }
    return name === 'this' && label === name ? undefined : { label, value };
  }
}

const UNDEFINED = { $type: 'undefined' } as const;

/** An own property. One that a plain object does not have is undefined; of what was not captured nothing is known. */
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

/** True for a Map that was captured whole and has no such key. */
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
