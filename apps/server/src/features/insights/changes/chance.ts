/** Calculates the probability that a difference between counts is due to chance. */

/** The number of requests in a period, and the number of counted requests among them, such as the failed requests. */
interface Counted {
  readonly count: number;
  readonly requests: number;
}

/**
 * Returns the probability that at least `now.count` of the counted requests of both periods are in `now`, if both periods have the same
 * rate. This is the conditional test of two Poisson rates (Przyborowski and Wilenski, 1940). A test against the rate of `before` alone
 * would treat this rate as exact, but a few occurrences of a rare error do not show the error's exact rate. Both periods must have
 * requests.
 */
export function findHigherRate(now: Counted, before: Counted): number {
  return findHigherRateIn([{ now, before }]);
}

/**
 * Like {@link findHigherRate}, for periods that are compared within strata, such as the same hours of the day. Each stratum can have its own
 * rate. The counts of `now` are then a sum of binomial values with different shares. Such a sum exceeds its mean by chance at most as often
 * as one binomial value with the mean share (Hoeffding, 1956), so the returned probability is exact for one stratum, and an upper bound for
 * several.
 */
export function findHigherRateIn(
  strata: readonly { readonly now: Counted; readonly before: Counted }[],
): number {
  let [count, all, expected] = [0, 0, 0];
  for (const { now, before } of strata) {
    count += now.count;
    all += now.count + before.count;
    expected += (now.count + before.count) * (now.requests / (now.requests + before.requests));
  }
  // Hoeffding's bound holds only for counts of at least the mean plus 1.
  const isAbove = count > (strata.length > 1 ? expected + 1 : expected);
  return isAbove ? findBinomialTail(count, all, expected / all) : 1;
}

/** Returns the probability that a binomial value is at least `least`. `least` must be above the mean. */
function findBinomialTail(least: number, all: number, share: number): number {
  const first =
    logFactorial(all) -
    logFactorial(least) -
    logFactorial(all - least) +
    least * Math.log(share) +
    (all - least) * Math.log(1 - share);
  // The terms decrease, because `least` is above the mean.
  let [term, sum] = [1, 1];
  for (let count = least; count < all && term > sum * 1e-9; count += 1) {
    term *= ((all - count) / (count + 1)) * (share / (1 - share));
    sum += term;
  }
  return Math.min(1, Math.exp(first) * sum);
}

/** Returns the probability that a Poisson value is at least `count`; simply 1 if `count` is not above `expected`. */
export function findPoissonTail(count: number, expected: number): number {
  if (count <= expected) return 1;
  // The terms decrease: each term is at most `expected / count` times the previous term.
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
