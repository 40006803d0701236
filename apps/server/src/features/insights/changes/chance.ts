/** Calculates how likely chance explains a difference between counts. */

/** Some of the requests of a period, such as those that failed. */
interface Counted {
  readonly count: number;
  readonly requests: number;
}

/**
 * Returns the probability that at least `now.count` of the counts of both periods are in `now`, if both periods have the same rate. This is
 * the conditional test of two Poisson rates (Przyborowski and Wilenski, 1940). A test against the rate of `before` alone would take this
 * rate as known, but a few requests of a rare error do not show its rate. Both periods must have requests.
 */
export function findHigherRate(now: Counted, before: Counted): number {
  const all = now.count + before.count;
  const share = now.requests / (now.requests + before.requests);
  if (now.count <= all * share) return 1;
  const first =
    logFactorial(all) -
    logFactorial(now.count) -
    logFactorial(before.count) +
    now.count * Math.log(share) +
    before.count * Math.log(1 - share);
  // The terms fall, because `now.count` is above the mean.
  let [term, sum] = [1, 1];
  for (let count = now.count; count < all && term > sum * 1e-9; count += 1) {
    term *= ((all - count) / (count + 1)) * (share / (1 - share));
    sum += term;
  }
  return Math.min(1, Math.exp(first) * sum);
}

/** Returns the probability that a Poisson value is at least `count`; simply 1 if `count` is not above `expected`. */
export function findPoissonTail(count: number, expected: number): number {
  if (count <= expected) return 1;
  // The terms fall: each is at most expected / count times the previous term.
  let [term, sum] = [1, 1];
  for (let next = count + 1; term > sum * 1e-9; next += 1) {
    term *= expected / next;
    sum += term;
  }
  return Math.min(1, findPoisson(count, expected) * sum);
}

/** Returns the probability that a Poisson value is at most `count`. */
export function findPoissonHead(count: number, expected: number): number {
  let sum = 0;
  for (let value = 0; value <= count; value += 1) sum += findPoisson(value, expected);
  return Math.min(1, sum);
}

function findPoisson(value: number, expected: number): number {
  return Math.exp(value * Math.log(expected) - expected - logFactorial(value));
}

/** From this number on, three terms of Stirling's series are exact to 14 digits. */
const MIN_STIRLING = 256;

function logFactorial(value: number): number {
  if (value >= MIN_STIRLING) {
    const series = 1 / (12 * value) - 1 / (360 * value ** 3);
    return value * Math.log(value) - value + Math.log(2 * Math.PI * value) / 2 + series;
  }
  let sum = 0;
  for (let factor = 2; factor <= value; factor += 1) sum += Math.log(factor);
  return sum;
}
