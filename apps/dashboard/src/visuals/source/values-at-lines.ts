import type { CapturedValue, Step } from '@throughline/contract';
import { findValueDifferences } from '@throughline/contract/captured';
import { CapturedNames, type FoundValue } from './captured-names.ts';
import type { VariableChanges } from './find-changes.ts';

export type ValueTime = 'at entry' | 'at the end';

export type TimedValue = FoundValue & { readonly when?: ValueTime };

/**
 * The values that variables had when a line ran. The SDK captures only the values at the entry and at the end of a call. `when` names
 * the time of the captured value if the value on the line can differ from the captured value or, on the first line of a function, if the
 * value changes later.
 */
export class ValuesAtLines {
  readonly #entry: CapturedNames;
  readonly #end: CapturedNames;
  readonly #changes: VariableChanges;

  constructor({ inputs }: Step, atEnd: CapturedNames, changes: VariableChanges) {
    this.#entry = new CapturedNames(inputs === undefined ? {} : { inputs });
    this.#end = atEnd;
    this.#changes = changes;
  }

  /** Finds the value of `name.property.property`. `isHead` is true for the function's first line, which has the values at entry. */
  find(name: string, properties: readonly string[], line: number, isHead: boolean): TimedValue | undefined {
    const end = this.#end.find(name, properties, line);
    if (end === undefined) return undefined;
    const entry = this.#entry.find(name, properties, line);
    const isChanged = this.#changes.has(end.label);
    if (entry?.label === end.label && findValueDifferences(entry.value, end.value).found.length > 0) {
      if (isHead) return { ...entry, when: 'at entry' };
      if (isPrimitive(entry.value) && isChanged && this.#changes.isNotYet(end.label, line)) return entry;
      // The function's own code does not change the object, so other code changed it at an unknown time.
      if (!isChanged) return { ...end, when: 'at the end' };
    }
    return this.#changes.isLater(end.label, line) ? { ...end, when: 'at the end' } : end;
  }
}

function isPrimitive(value: CapturedValue): boolean {
  return typeof value !== 'object' || value === null;
}
