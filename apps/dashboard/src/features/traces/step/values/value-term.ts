import { type CapturedValue, formatValueCondition, writeTerm } from '@throughline/contract';
import { classifyValue, listParts } from '@throughline/contract/captured';

/**
 * Returns the term that filters for requests in which a row of a value's tree has the same value, such as
 * `value:charge.order.totalCents=129`. `owner` names the function, or a part of the request such as `request.body`. `part`, such as
 * `outputs`, is the name of the row of the whole value. Returns undefined if the filter language cannot express the row.
 */
export function findValueTerm(
  owner: readonly string[],
  part: string,
  whole: CapturedValue,
  key: string,
): string | undefined {
  const found = findNames(whole, key);
  if (found === undefined) return undefined;
  const shape = classifyValue(found.value);
  if (shape.kind !== 'simple') return undefined;
  const names = found.names.length === 0 ? [part] : found.names;
  // The name of the function is left out if the filter language cannot express the name, as with `GET /orders`.
  const condition =
    formatValueCondition([...owner, ...names], shape.value) ??
    (found.names.length === 0 ? undefined : formatValueCondition(names, shape.value));
  return condition === undefined ? undefined : writeTerm('value', condition, false).text;
}

/** Finds the names on the path to a row of a value's tree. Elements of lists and maps have no names, and cannot be compared themselves. */
function findNames(
  whole: CapturedValue,
  key: string,
): { readonly names: readonly string[]; readonly value: CapturedValue } | undefined {
  const names: string[] = [];
  let value = whole;
  let isNamed = true;
  for (const index of key.replace(/^\$/, '').split('/').slice(1)) {
    const child = listParts(value).children[Number(index)];
    if (child === undefined) return undefined;
    isNamed = child.label.kind === 'key';
    if (child.label.kind === 'key') names.push(child.label.text);
    value = child.value;
  }
  return isNamed ? { names, value } : undefined;
}
