/** An interval in hours since the epoch, with fractions. */
export interface StartInterval {
  readonly from: number;
  readonly until: number;
}

/** An hour, and how its counts fit a change that begins in the hour. */
export interface WeighedHour {
  /** Hours since the epoch. */
  readonly at: number;
  /**
   * Returns the log-likelihood of the hour's counts if the change began after a share of the hour (0 to 1) had passed, minus the
   * log-likelihood without a change.
   */
  readonly weigh: (unchanged: number) => number;
  /**
   * The squared Pearson residual of the hour's counts, computed as if there were no change. Its mean is 1 if only chance makes the hours
   * differ.
   */
  readonly residual: number;
}

/** Possible starts are compared in steps of five minutes. */
const STEPS_PER_HOUR = 12;
/**
 * Starts whose log-likelihood is at most this far below the highest log-likelihood belong to the interval. If the rates are known, the true
 * start is further below with a probability of at most 2 * exp(-3.7) = 5 %, because each of the two likelihood ratios, before and after the
 * start, is a martingale with mean 1 (Ville's inequality).
 */
const MAX_DISTANCE = 3.7;

/**
 * Finds the interval in which a change began: the span of all starts whose log-likelihood is close to the highest. Such sets of likely change
 * points are confidence sets (D. Siegmund, "Confidence sets in change-point problems", International Statistical Review 56, 1988). Within an
 * hour, requests are assumed to be spread evenly. If the hours before the change differ more than by chance, the log-likelihoods are divided
 * by their dispersion (quasi-likelihood; P. McCullagh and J. Nelder, "Generalized Linear Models", 1989). `hours` are in chronological order;
 * hours without requests can be left out.
 * @returns undefined without hours
 */
export function findStartInterval(
  hours: readonly WeighedHour[],
  range: StartInterval,
): StartInterval | undefined {
  const starts = listStarts(hours);
  const best = starts.reduce<Start | undefined>(
    (most, one) => (most === undefined || one.weight > most.weight ? one : most),
    undefined,
  );
  if (best === undefined) return undefined;
  const limit = best.weight - MAX_DISTANCE * findDispersion(hours.filter(({ at }) => at + 1 <= best.at));
  const [first, last] = [
    starts.findIndex(({ weight }) => weight >= limit),
    starts.findLastIndex(({ weight }) => weight >= limit),
  ];
  // The change can have begun between two of the compared starts.
  return { from: starts[first - 1]?.at ?? range.from, until: starts[last + 1]?.at ?? range.until };
}

interface Start {
  readonly at: number;
  /** The log-likelihood of the start. */
  readonly weight: number;
}

/** Lists the possible starts with their log-likelihoods, in chronological order. */
function listStarts(hours: readonly WeighedHour[]): Start[] {
  let later = hours.reduce((sum, { weigh }) => sum + weigh(0), 0);
  return hours.flatMap(({ at, weigh }) => {
    later -= weigh(0);
    return Array.from({ length: STEPS_PER_HOUR + 1 }, (_, step) => {
      const share = step / STEPS_PER_HOUR;
      return { at: at + share, weight: later + weigh(share) };
    });
  });
}

/** Returns the factor by which the hours differ more than by chance; at least 1. */
function findDispersion(hours: readonly WeighedHour[]): number {
  if (hours.length < 2) return 1;
  return Math.max(1, hours.reduce((sum, { residual }) => sum + residual, 0) / (hours.length - 1));
}

/** Minimum distance of a share from 0 and 1. With a share of exactly 0 or 1, a single request could decide the result. */
const SURE = 0.001;

/**
 * Weighs an hour in which `changed` of the requests have a change. The share of requests that have the change rises from `before` to
 * `after` (binomial distribution).
 */
export function weighShare(
  { at, requests, changed }: { readonly at: number; readonly requests: number; readonly changed: number },
  shares: { readonly before: number; readonly after: number },
): WeighedHour {
  const [before, after] = [keepApart(shares.before), keepApart(shares.after)];
  return {
    at,
    weigh: (unchanged) => {
      const share = unchanged * before + (1 - unchanged) * after;
      return changed * Math.log(share / before) + (requests - changed) * Math.log((1 - share) / (1 - before));
    },
    residual: requests === 0 ? 1 : (changed - requests * before) ** 2 / (requests * before * (1 - before)),
  };
}

export function keepApart(share: number): number {
  return Math.min(1 - SURE, Math.max(SURE, share));
}

/** A ratio closer to 0 would let a single late request decide when traffic stopped. */
const MIN_RATIO = 0.01;
/** Minimum of an hour's usual count, because a request in an hour that is usually silent is rare but not impossible. */
const MIN_USUAL = 0.1;

/** Weighs an hour with `count` requests. A change multiplies the hour's usual count by `ratio` (Poisson distribution). */
export function weighCount(
  { at, usual: median, count }: { readonly at: number; readonly usual: number; readonly count: number },
  ratio: number,
): WeighedHour {
  const usual = Math.max(MIN_USUAL, median);
  const after = Math.max(MIN_RATIO, ratio);
  return {
    at,
    weigh: (unchanged) => {
      const times = unchanged + (1 - unchanged) * after;
      return count * Math.log(times) - usual * (times - 1);
    },
    residual: (count - usual) ** 2 / usual,
  };
}
