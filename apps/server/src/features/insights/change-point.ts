/** The requests of one hour, and how many of them have the change. */
export interface CountedHour {
  readonly requests: number;
  readonly changed: number;
}

/**
 * Finds the hour from which the requests with a change exceed a share the most (the change point of a cumulative sum, Page 1954). The
 * reference lies between the shares before and since: with one half, the start would be days too early. `hours` are in their order.
 *
 * @returns the index of the hour, of the earlier one where two are alike; 0 without hours
 */
export function findChangePoint(hours: readonly CountedHour[], reference: number): number {
  let [found, most, sum] = [0, Number.NEGATIVE_INFINITY, 0];
  for (let at = hours.length - 1; at >= 0; at -= 1) {
    const { requests, changed } = hours[at] ?? { requests: 0, changed: 0 };
    sum += changed - reference * requests;
    // Rounding must not decide between hours that are alike.
    if (sum < most - 1e-9) continue;
    most = sum;
    found = at;
  }
  return found;
}
