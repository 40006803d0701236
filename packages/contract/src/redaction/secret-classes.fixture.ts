import type { CapturedValue } from '../values.ts';
import { Redactor } from './redactor.ts';

/** Secrets and ordinary values of one class. The secret is in guillemets, which are removed. */
export interface SecretClass {
  readonly title: string;
  readonly secrets: readonly CapturedValue[];
  readonly ordinary: readonly CapturedValue[];
}

const redactor = new Redactor();

/** Redacts a value twice. `parts` contains the words of the marked secret. */
export function redactMarked(value: CapturedValue): {
  readonly shown: CapturedValue;
  readonly again: CapturedValue;
  readonly parts: readonly string[];
} {
  const json = JSON.stringify(value);
  const shown = redactor.value(JSON.parse(json.replace(/[«»]/g, '')));
  const secret = /«([^»]*)»/.exec(json)?.[1];
  return { shown, again: redactor.value(shown), parts: secret?.split(' ') ?? [] };
}

/** Wraps each value, since `it.each` would pass the items of a list as arguments. */
export const toRows = (values: readonly CapturedValue[]) => values.map((value): [CapturedValue] => [value]);
