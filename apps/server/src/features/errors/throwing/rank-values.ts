import type { ThrowingValue } from '@throughline/contract';
import { formatPath } from '@throughline/contract/captured';
import { findCertainDifference } from '../../traces/index.ts';
import { type CallValues, type PlacedValue, placeKey } from './list-values.ts';

/** A failing or a successful call, with its values. */
export interface ListedCall extends CallValues {
  readonly trace: string;
  readonly stepId: string;
}

interface Place extends Pick<PlacedValue, 'part' | 'path'> {
  readonly values: Map<string, { readonly text: string; inside: ListedCall[]; outside: number }>;
  /** Numbers of failing (`inside`) and successful (`outside`) calls that have a known value at the path. */
  inside: number;
  outside: number;
}

const MAX_RANKED = 10;
/** Maximum number of paths that are listed for one value in addition to its first path. */
const MAX_ALSO_AT = 10;
/** Maximum number of distinct values per path. */
const MAX_OF_PLACE = 2;
/** Maximum number of paths over all calls. */
const MAX_PLACES = 5_000;
/** Minimum fraction of the failing calls that must have a known value at the path. */
const MIN_KNOWN = 0.5;
const ABSENT = { key: 'absent', text: 'not there' } as const;

/**
 * Ranks values that are more frequent in failing than in successful calls, by {@link findCertainDifference}. If two values have equal
 * differences, inputs come before variables.
 */
export function rankValues(
  failing: readonly ListedCall[],
  successful: readonly ListedCall[],
): ThrowingValue[] {
  const ranked = collectPlaces(failing, successful)
    .filter(({ inside, outside }) => inside >= failing.length * MIN_KNOWN && outside > 0)
    .flatMap((place) => {
      const { part, path, inside, outside } = place;
      return [...place.values]
        .flatMap(([key, value]) => {
          const [example] = value.inside;
          if (example === undefined) return [];
          const shares = { inside: value.inside.length / inside, outside: value.outside / outside };
          const certain = findCertainDifference(shares.inside, inside, shares.outside, outside);
          const { trace, stepId } = example;
          const result = { part, path: formatPath(path), value: value.text, ...shares, trace, step: stepId };
          const fact = JSON.stringify([key, shares, value.inside.map((call) => [call.trace, call.stepId])]);
          return certain > 0 ? [{ result, fact, certain, depth: path.length }] : [];
        })
        .toSorted((a, b) => b.certain - a.certain)
        .slice(0, MAX_OF_PLACE);
    });
  const sorted = ranked.toSorted(
    (a, b) =>
      b.certain - a.certain ||
      compareText(a.result.part, b.result.part) ||
      a.depth - b.depth ||
      compareText(a.result.path, b.result.path),
  );
  // An argument is often copied to other variables. Copies are listed as one value with several paths, because otherwise one fact would
  // fill the list.
  return [...Map.groupBy(sorted, ({ fact }) => fact).values()].slice(0, MAX_RANKED).flatMap((copies) => {
    const [first, ...others] = copies.map(({ result }) => result);
    if (first === undefined) return [];
    const paths = new Set(others.map(({ path }) => path));
    paths.delete(first.path);
    return { ...first, alsoAt: [...paths].slice(0, MAX_ALSO_AT) };
  });
}

function collectPlaces(failing: readonly ListedCall[], successful: readonly ListedCall[]): readonly Place[] {
  const places = new Map<string, Place>();
  const count = (call: ListedCall, side: 'inside' | 'outside') => {
    for (const { part, path, key, text } of call.values) {
      const id = placeKey(part, path);
      const place = places.get(id) ?? { part, path, values: new Map(), inside: 0, outside: 0 };
      if (!places.has(id)) {
        if (places.size >= MAX_PLACES) continue;
        places.set(id, place);
      }
      countValue(place, call, side, { key, text });
    }
  };
  for (const call of failing) count(call, 'inside');
  for (const call of successful) count(call, 'outside');
  for (const place of places.values()) {
    // Compares missing members of objects, but not missing variables or items: a variable may not be bound yet, and lists have any length.
    if (place.path.length < 2 || typeof place.path.at(-1) === 'number') continue;
    for (const call of failing)
      if (call.lacks(place.part, place.path)) countValue(place, call, 'inside', ABSENT);
    for (const call of successful)
      if (call.lacks(place.part, place.path)) countValue(place, call, 'outside', ABSENT);
  }
  return [...places.values()];
}

function countValue(
  place: Place,
  call: ListedCall,
  side: 'inside' | 'outside',
  { key, text }: Pick<PlacedValue, 'key' | 'text'>,
): void {
  const value = place.values.get(key) ?? { text, inside: [], outside: 0 };
  place.values.set(key, value);
  place[side] += 1;
  if (side === 'inside') value.inside.push(call);
  else value.outside += 1;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
