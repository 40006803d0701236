/** Builds series of possible causes of a change: errors, dependencies, caches, and the services' own metrics. */
import type { DependencyHour } from '../../rollups/index.ts';
import { countRequests, findBucketPlace } from '../distributions.ts';
import { buildEndpointKey } from '../endpoint-key.ts';
import type { CountedPart, MeasuredHour } from './causes-store.ts';
import type { Hour, HourSeries } from './hour-series.ts';

/** Builds an hour without durations, for a series of which only the share of `errors` in `requests` is compared. */
const countAlone = (requests: number, errors: number): Hour => ({
  errors,
  histogram: new Map(requests > 0 ? [[0, requests]] : []),
});

/** Builds a series for each error of an endpoint: the share of the endpoint's requests that failed with the error. */
export function buildErrorSeries(
  counted: readonly CountedPart[],
  endpoints: readonly HourSeries[],
): HourSeries[] {
  const wholes = new Map(
    endpoints.flatMap((one) => (one.part === null ? [[buildEndpointKey(one), one] as const] : [])),
  );
  return groupParts(counted).flatMap((hours) => {
    const [first] = hours;
    const whole = first === undefined ? undefined : wholes.get(buildEndpointKey(first));
    if (first === undefined || whole === undefined) return [];
    const failed = new Map(hours.map(({ at, changed }) => [at, changed]));
    const all = [...whole.hours].map(([at, { histogram }]): [number, Hour] => [
      at,
      countAlone(countRequests(histogram), failed.get(at) ?? 0),
    ]);
    const { service, environment, method, path } = whole;
    const { value, error } = first;
    const part = { name: 'error', value, ...(error !== undefined && { error }) } as const;
    return [{ service, environment, method, path, part, signals: ['errorRate'], hours: new Map(all) }];
  });
}

/**
 * Builds the series of requests in which a call to a dependency failed, of the number of calls per request, and of requests that missed the
 * cache.
 */
export function buildCallSeries(counted: readonly CountedPart[]): HourSeries[] {
  const parts = groupParts(counted);
  const cached = new Map(
    parts.flatMap((hours) =>
      hours[0]?.name === 'cache' && hours[0].value === '' ? [[buildEndpointKey(hours[0]), hours]] : [],
    ),
  );
  return parts.flatMap((hours): HourSeries[] => {
    const [first] = hours;
    if (first === undefined || first.value === '') return [];
    const { service, environment, method, path, name, value } = first;
    const changed = new Map(hours.map((hour) => [hour.at, hour.changed]));
    const all = name === 'cache' ? (cached.get(buildEndpointKey(first)) ?? []) : hours;
    const byHour = all.map(({ at, requests }): [number, Hour] => [
      at,
      countAlone(requests, changed.get(at) ?? 0),
    ]);
    const place = { service, environment, method, path, part: { name: 'dependency', value } } as const;
    if (name === 'cache') return [{ ...place, signals: ['cacheMisses'], hours: new Map(byHour) }];
    const calls = hours.map((hour): [number, Hour] => [
      hour.at,
      { errors: 0, histogram: hour.calls ?? new Map() },
    ]);
    return [
      { ...place, signals: ['errorRate'], hours: new Map(byHour) },
      { ...place, signals: ['calls'], hours: new Map(calls) },
    ];
  });
}

function groupParts(counted: readonly CountedPart[]): CountedPart[][] {
  return [
    ...Map.groupBy(counted, (one) =>
      JSON.stringify([one.name, one.error?.id ?? one.value, buildEndpointKey(one)]),
    ).values(),
  ];
}

/**
 * Builds a series of call durations for each dependency, with only the mean duration of each hour. `counted` shows which endpoints call the
 * dependency.
 */
export function buildDependencySeries(
  hours: readonly DependencyHour[],
  counted: readonly CountedPart[],
): HourSeries[] {
  const callers = Map.groupBy(
    counted.filter(({ name }) => name === 'dependency'),
    ({ service, environment, value }) => JSON.stringify([service, environment, value]),
  );
  const keys = ({ service, environment, dependency }: DependencyHour) =>
    JSON.stringify([service, environment, dependency]);
  return [...Map.groupBy(hours, keys)].flatMap(([key, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { service, environment, dependency } = first;
    return [
      {
        service,
        environment,
        method: '',
        path: '',
        part: { name: 'dependency', value: dependency },
        signals: ['p50'],
        callers: [...new Set(callers.get(key)?.map(buildEndpointKey))],
        hours: new Map(
          all.map(({ at, executions, duration_micros_sum }): [number, Hour] => [
            at,
            {
              errors: 0,
              histogram: new Map([
                [Math.floor(findBucketPlace(duration_micros_sum / executions)), executions],
              ]),
            },
          ]),
        ),
      },
    ];
  });
}

/** Builds the series of the services' heap sizes, event loop delays and CPU times, and of the endpoints' response sizes. */
export function buildMeasuredSeries(measured: readonly MeasuredHour[]): HourSeries[] {
  return [
    ...Map.groupBy(measured, (one) => JSON.stringify([one.signal, buildEndpointKey(one)])).values(),
  ].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { service, environment, method, path, signal } = first;
    const hours = [...Map.groupBy(all, ({ at }) => at)].map(([at, some]): [number, Hour] => [
      at,
      { errors: 0, histogram: new Map(some.map(({ bucket, requests }) => [bucket, requests])) },
    ]);
    return [{ service, environment, method, path, part: null, signals: [signal], hours: new Map(hours) }];
  });
}
