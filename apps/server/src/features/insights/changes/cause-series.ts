/** Builds series of possible causes of a change: errors, dependencies, caches, and the services' own metrics. */
import type { DependencyHour } from '../../rollups/index.ts';
import { countRequests, findBucketPlace } from '../distributions.ts';
import { buildEndpointKey, type EndpointPlace } from '../endpoint-key.ts';
import type { CountedPart, MeasuredHour } from './causes-store.ts';
import type { Hour, HourSeries, ReleaseSeries } from './hour-series.ts';

/**
 * Builds an hour for a series that only compares the share of `errors` in `requests`. All requests are in bucket 0, since durations do not
 * matter.
 */
const countAlone = (requests: number, errors: number): Hour => ({
  errors,
  histogram: new Map(requests > 0 ? [[0, requests]] : []),
});

/** Builds a series for each error and release of an endpoint: the share of the release's requests that failed with the error. */
export function buildErrorSeries(
  counted: readonly CountedPart[],
  endpoints: readonly ReleaseSeries[],
): ReleaseSeries[] {
  const wholes = Map.groupBy(endpoints, buildEndpointKey);
  return groupParts(counted).flatMap((hours) => {
    const [first] = hours;
    if (first === undefined) return [];
    const failed = new Map(hours.map((hour) => [buildHourKey(hour), hour.changed]));
    const { value, error } = first;
    const part = { name: 'error', value, ...(error !== undefined && { error }) } as const;
    return (wholes.get(buildEndpointKey(first)) ?? []).map((whole): ReleaseSeries => {
      const { service, environment, method, path, release } = whole;
      const all = [...whole.hours].map(([at, { histogram }]): [number, Hour] => [
        at,
        countAlone(countRequests(histogram), failed.get(buildHourKey({ release, at })) ?? 0),
      ]);
      return {
        ...{ service, environment, method, path, part, release },
        ...{ signals: ['errorRate'], hours: new Map(all) },
      };
    });
  });
}

const buildHourKey = ({ release, at }: Pick<CountedPart, 'release' | 'at'>) => `${at} ${release}`;

/**
 * Builds three kinds of series for each endpoint and dependency: the share of requests with a failed call, the number of calls per request,
 * and the share of requests that missed a cache and therefore called the dependency.
 */
export function buildCallSeries(counted: readonly CountedPart[]): ReleaseSeries[] {
  const parts = groupParts(counted);
  const cached = new Map(
    parts.flatMap((hours) =>
      hours[0]?.name === 'cache' && hours[0].value === '' ? [[buildEndpointKey(hours[0]), hours]] : [],
    ),
  );
  return parts.flatMap((hours) => {
    const [first] = hours;
    if (first === undefined || first.value === '') return [];
    const changed = new Map(hours.map((hour) => [buildHourKey(hour), hour.changed]));
    const all = first.name === 'cache' ? (cached.get(buildEndpointKey(first)) ?? []) : hours;
    return [...Map.groupBy(all, ({ release }) => release)].flatMap(([release, some]): ReleaseSeries[] => {
      const { service, environment, method, path, name, value } = first;
      const part = { name: 'dependency', value } as const;
      const place = { service, environment, method, path, part, release };
      const byHour = some.map((hour): [number, Hour] => [
        hour.at,
        countAlone(hour.requests, changed.get(buildHourKey(hour)) ?? 0),
      ]);
      if (name === 'cache') return [{ ...place, signals: ['cacheMisses'], hours: new Map(byHour) }];
      const calls = some.map((hour): [number, Hour] => [
        hour.at,
        { errors: 0, histogram: hour.calls ?? new Map() },
      ]);
      return [
        { ...place, signals: ['errorRate'], hours: new Map(byHour) },
        { ...place, signals: ['calls'], hours: new Map(calls) },
      ];
    });
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
        callers: listPlaces(callers.get(key) ?? []),
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

/** Removes duplicate endpoints. */
function listPlaces(all: readonly EndpointPlace[]): EndpointPlace[] {
  return [...new Map(all.map((place) => [buildEndpointKey(place), place])).values()];
}

/** Builds the series of the services' heap sizes, event loop delays and CPU times, and of the endpoints' response sizes. */
export function buildMeasuredSeries(measured: readonly MeasuredHour[]): ReleaseSeries[] {
  return [
    ...Map.groupBy(measured, (one) =>
      JSON.stringify([one.signal, one.release, buildEndpointKey(one)]),
    ).values(),
  ].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { service, environment, method, path, signal, release } = first;
    const hours = [...Map.groupBy(all, ({ at }) => at)].map(([at, some]): [number, Hour] => [
      at,
      { errors: 0, histogram: new Map(some.map(({ bucket, requests }) => [bucket, requests])) },
    ]);
    return [
      {
        ...{ service, environment, method, path, part: null, release },
        ...{ signals: [signal], hours: new Map(hours) },
      },
    ];
  });
}
