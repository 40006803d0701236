/** Returns the indexes of the numbers in a longest increasing subsequence (patience sorting). All other numbers count as moved. */
export function findLongestRising(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  const valueAt = (place: number | undefined) =>
    (place === undefined ? undefined : numbers[place]) ?? Number.NEGATIVE_INFINITY;
  for (const [place, value] of numbers.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (valueAt(ends[middle]) < value) low = middle + 1;
      else high = middle;
    }
    before.set(place, ends[low - 1]);
    ends[low] = place;
  }
  const found = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) found.add(at);
  return found;
}
