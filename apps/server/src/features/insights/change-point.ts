/** The number of requests in one hour, and how many of them have the change. */
export interface CountedHour {
  readonly requests: number;
  readonly changed: number;
}

/**
 * Finds the hour in which a change began (the change point of a cumulative sum, Page 1954). Adds up `changed - reference * requests` from
 * each hour to the last hour, and returns the hour with the largest sum. `reference` must lie between the shares before and after the
 * change: a fixed reference of one half would give a start that is days too early. `hours` are in chronological order.
 * @returns the index of the hour; the earlier index if two sums are equal; 0 without hours
 */
export function findChangePoint(hours: readonly CountedHour[], reference: number): number {
  let [found, most, sum] = [0, Number.NEGATIVE_INFINITY, 0];
  for (let at = hours.length - 1; at >= 0; at -= 1) {
    const { requests, changed } = hours[at] ?? { requests: 0, changed: 0 };
    sum += changed - reference * requests;
    // Rounding errors must not decide between hours with equal sums.
    if (sum < most - 1e-9) continue;
    most = sum;
    found = at;
  }
  return found;
}
