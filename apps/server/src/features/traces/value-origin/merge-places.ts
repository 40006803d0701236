import type { ValuePlace } from '@throughline/contract';
import { findValueDifferences } from '@throughline/contract/captured';
import type { Occurrence } from './find-occurrences.ts';
import { findPart } from './visit-parts.ts';

/** Maps a part of a step to the part that is shown instead, as in the dashboard, if both contain the value. */
const SHOWN_AS: ReadonlyMap<ValuePlace, ValuePlace> = new Map([
  ['inputs', 'parameters'],
  ['outputs', 'returnValue'],
]);

/**
 * Lists each value of a step once, without the selected value. Inputs that are unchanged at the end of the call become parameters marked
 * as given; outputs become the return value.
 */
export function mergePlaces(
  found: readonly Occurrence[],
  asked: Occurrence,
): { readonly asked: Occurrence; readonly others: readonly Occurrence[] } {
  const byKey = new Map(found.map((each) => [writeKey(each, each.at.place), each]));
  const findTwin = (each: Occurrence, place: ValuePlace | undefined) => {
    const twin = place === undefined ? undefined : byKey.get(writeKey(each, place));
    return twin !== undefined && isSamePath(twin, each) ? twin : undefined;
  };
  const merge = (each: Occurrence): Occurrence => {
    const twin = findTwin(each, SHOWN_AS.get(each.at.place));
    if (twin !== undefined) return { ...twin, ...(each.at.place === 'inputs' && { given: true }) };
    const isGiven =
      each.at.place === 'parameters' && (findTwin(each, 'inputs') !== undefined || isUnchanged(each));
    return isGiven ? { ...each, given: true } : each;
  };
  const own = merge(asked);
  const others = new Map<string, Occurrence>();
  for (const each of found) {
    const merged = merge(each);
    others.set(writeKey(merged, merged.at.place), merged);
  }
  for (const place of [own.at.place, asked.at.place]) others.delete(writeKey(asked, place));
  return { asked: own, others: [...others.values()] };
}

/** True for a parameter whose content at the end of the call equals its content at the start, as far as both were recorded. */
function isUnchanged({ at, path }: Occurrence): boolean {
  const [name = ''] = path;
  const [before, after] = [at.step?.inputs, at.step?.variables?.parameters].map(
    (values) => values && findPart(values, name)?.value,
  );
  return (
    before !== undefined && after !== undefined && findValueDifferences(before, after).found.length === 0
  );
}

function isSamePath(one: Occurrence, other: Occurrence): boolean {
  return JSON.stringify(one.path) === JSON.stringify(other.path);
}

/** Two occurrences have the same key if they are in the same step and part and, where each value has a name, under the same name. */
function writeKey({ at, path }: Occurrence, place: ValuePlace): string {
  const isNamed = ['inputs', 'parameters', 'localVariables'].includes(place);
  return JSON.stringify([at.step?.stepId ?? null, place, isNamed ? (path[0] ?? '') : '']);
}
