import { buildEndpointKey } from '../endpoint-key.ts';
import type { Change } from './find-changes.ts';
import type { HourSeries } from './hour-series.ts';

/** A change, and the endpoints that it shows at beside its own. */
export interface GroupedChange extends Change {
  readonly also: readonly HourSeries[];
}

/** A part of an endpoint alone must have changed further than an endpoint, since there are many parts. */
const PART = { pValue: 1e-6, ratio: 1.5 } as const;

/**
 * Makes one change of those with one cause. A part that changed alone stands for its endpoint; the same change at several endpoints of a
 * service stands once, at the endpoint with the most requests.
 */
export function groupChanges(changes: readonly Change[], series: readonly HourSeries[]): GroupedChange[] {
  const partCounts = countParts(series);
  const ofEndpoints = [...Map.groupBy(changes, (change) => buildKey(change)).values()].flatMap((all) =>
    choosePart(all, partCounts),
  );
  const alike = Map.groupBy(
    ofEndpoints,
    ({ signal, after, before, series: { service, environment, part } }) =>
      JSON.stringify([signal, after > before, service, environment, part]),
  );
  return [...alike.values()].flatMap((all) => {
    const [first, ...others] = all.toSorted((a, b) => b.requestsBefore - a.requestsBefore);
    return first === undefined ? [] : [{ ...first, also: others.map((change) => change.series) }];
  });
}

/** A part with a higher median gives its endpoint a longer tail: one cause. */
const FAMILIES = { p50: 'duration', p99: 'duration', errorRate: 'errors', requests: 'traffic' } as const;
const buildKey = ({ signal, series }: Change) => JSON.stringify([FAMILIES[signal], buildEndpointKey(series)]);

/** The number of values of each part of each endpoint. */
function countParts(series: readonly HourSeries[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of series) {
    if (one.part === null) continue;
    const key = `${one.part.name} ${buildEndpointKey(one)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The change of one endpoint's figure: of the one part that changed alone, else of the whole endpoint, else none. */
function choosePart(changes: readonly Change[], partCounts: ReadonlyMap<string, number>): Change[] {
  const whole = changes.filter(({ series }) => series.part === null);
  const parts = Map.groupBy(
    changes.filter(({ series }) => series.part !== null),
    ({ series }) => series.part?.name,
  );
  const alone = [...parts].flatMap(([name, all]) => {
    const [only] = all;
    if (only === undefined || all.length > 1) return [];
    const known = partCounts.get(`${name} ${buildEndpointKey(only.series)}`) ?? 0;
    return known >= 2 ? [only] : [];
  });
  const clear = alone
    .filter(
      ({ pValue, before, after }) =>
        whole.length > 0 || (pValue <= PART.pValue && after >= before * PART.ratio),
    )
    .sort((a, b) => a.pValue - b.pValue)
    .slice(0, 1);
  return clear.length > 0 ? clear : whole;
}
