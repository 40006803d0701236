import { countRequests, durationAt, type Histogram, together } from './distributions.ts';
import type { EndpointTimes } from './slower.ts';

/** An endpoint that takes far longer than its service's others. */
export interface Outlier {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly own: Histogram;
  /** The median duration of the service's endpoints, ms. */
  readonly usualMs: number;
  /** The number of compared endpoints of the service, including this one. */
  readonly endpoints: number;
  /** Modified z-score of the logarithm of its median. */
  readonly score: number;
}

/**
 * An endpoint is an outlier if its modified z-score is high (Iglewicz and Hoaglin, "How to Detect and Handle Outliers", 1993, recommend
 * 3.5), and it is several times as slow as the median, and slow enough to be felt. Fewer endpoints give no usable median.
 */
const LIMITS = { endpoints: 5, requests: 30, score: 3.5, ratio: 3, ms: 100 } as const;
/** Scales the median absolute deviation to the standard deviation of a normal distribution: 1 / 1.4826. */
const NORMAL = 0.6745;
/** A service whose endpoints are all alike has hardly a spread: as if they differed by a tenth. */
const MIN_SPREAD = Math.log(1.1);

/** Endpoints that take far longer than others of their service, in the period that is looked at. */
export function findOutliers(times: readonly EndpointTimes[]): Outlier[] {
  const current = times.filter(({ current: now }) => now);
  return [...Map.groupBy(current, ({ service }) => service).values()].flatMap((ofService) => {
    const endpoints = [
      ...Map.groupBy(ofService, ({ method, path }) => JSON.stringify([method, path])).values(),
    ]
      .flatMap((all) => {
        const [one] = all;
        const own = together(all.map(({ histogram }) => histogram));
        return one === undefined || countRequests(own) < LIMITS.requests ? [] : [{ ...one, own }];
      })
      .map((one) => ({ ...one, log: Math.log(Math.max(durationAt(one.own, 0.5), 0.001)) }));
    if (endpoints.length < LIMITS.endpoints) return [];
    const usual = median(endpoints.map(({ log }) => log));
    const spread = Math.max(median(endpoints.map(({ log }) => Math.abs(log - usual))), MIN_SPREAD);
    return endpoints.flatMap(({ service, method, path, own, log }) => {
      const score = (NORMAL * (log - usual)) / spread;
      const standsOut =
        score >= LIMITS.score && log - usual >= Math.log(LIMITS.ratio) && Math.exp(log) >= LIMITS.ms;
      const one = {
        service,
        method,
        path,
        own,
        usualMs: Math.exp(usual),
        endpoints: endpoints.length,
        score,
      };
      return standsOut ? [one] : [];
    });
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}
