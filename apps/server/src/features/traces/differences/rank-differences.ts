import { DIFFERENCE_FIELDS, type TraceDifference, writeTerm } from '@throughline/contract';
import { readAttributes } from '../list/attributes.ts';
import type { CountedValue, Totals } from './differences-store.ts';

const MAX_DIFFERENCES = 10;
/** Maximum number of values per field, and per attribute. */
const MAX_OF_FIELD = 3;
/**
 * Half the width of the confidence interval, in standard deviations (99.7 %). Hundreds of values are compared, so at 95 % some would differ
 * by chance.
 */
const Z = 3;
/**
 * Minimum difference between a value's share of the matching requests and its share of the other requests. The lower confidence bound of
 * the difference must be at least this large.
 */
const MIN_DIFFERENCE = 0.02;

/**
 * Ranks values, the largest first, by how much a value's share of the matching requests certainly exceeds its share of the other requests:
 * the lower end of Newcombe's interval, which is made of Wilson's intervals (Newcombe 1998, method 10). A value of few requests thus comes
 * after a value of many requests with the same shares. The totals are the numbers of counted requests; `estimateCount` returns the number
 * of all matching requests with a value from the number of counted ones.
 */
export function rankDifferences(
  values: readonly CountedValue[],
  { matching, others }: Totals,
  estimateCount: (found: number) => number,
): TraceDifference[] {
  if (matching === 0 || others === 0) return [];
  const ranked = values
    .map((value) => {
      const inside = Math.min(1, value.matching / matching);
      const outside = Math.min(1, value.others / others);
      return { value, inside, outside, certain: findCertainDifference(inside, matching, outside, others) };
    })
    .filter(({ certain }) => certain > 0)
    .toSorted(
      (a, b) =>
        b.certain - a.certain ||
        DIFFERENCE_FIELDS.indexOf(a.value.field) - DIFFERENCE_FIELDS.indexOf(b.value.field),
    );
  const ofGroup = new Map<string, number>();
  return ranked
    .filter(({ value }) => {
      const group = findGroup(value);
      const before = ofGroup.get(group) ?? 0;
      ofGroup.set(group, before + 1);
      return before < MAX_OF_FIELD;
    })
    .slice(0, MAX_DIFFERENCES)
    .map(({ value: { field, value, matching: found }, inside, outside }) => ({
      field,
      value,
      term: writeTerm(field, value, false).text,
      count: estimateCount(found),
      inside,
      outside,
    }));
}

/** Returns the lower confidence bound of the difference between two fractions; 0 if the bound is below `MIN_DIFFERENCE`. */
export function findCertainDifference(
  inside: number,
  matching: number,
  outside: number,
  others: number,
): number {
  const spread = Math.hypot(inside - findLower(inside, matching), findUpper(outside, others) - outside);
  const certain = inside - outside - spread;
  return certain >= MIN_DIFFERENCE ? certain : 0;
}

/** Returns the field of a value. Each attribute name counts as a separate field. */
function findGroup({ field, value }: CountedValue): string {
  return field === 'attribute' ? `attribute ${readAttributes(value)[0]?.name}` : field;
}

function findLower(share: number, count: number): number {
  return findWilson(share, count, -1);
}

function findUpper(share: number, count: number): number {
  return findWilson(share, count, 1);
}

/** Returns the lower or upper end of Wilson's score interval. */
function findWilson(share: number, count: number, side: 1 | -1): number {
  const spread = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  return (share + Z ** 2 / (2 * count) + side * spread) / (1 + Z ** 2 / count);
}
