import { buildEndpointKey } from '../endpoint-key.ts';
import { isAlone } from './alone.ts';
import type { Change } from './find-changes.ts';
import { type HourSeries, isLatencySignal } from './hour-series.ts';
import { explainTraffic } from './traffic-part.ts';

/** A change, and the other endpoints that have the same change. */
export interface GroupedChange extends Change {
  readonly also: readonly HourSeries[];
}

/** Limits for a change that affects only a part of an endpoint's requests, while the metric of the whole endpoint did not change. */
const PART = { pValue: 1e-6, ratio: 1.5 } as const;
/** Changes with one cause start at most this many hours apart. */
const TOGETHER_HOURS = 3;
/** A cause and its effect start at most this many hours apart. With few requests, the computed start can be some hours off. */
const CAUSE_HOURS = 12;

/**
 * Merges changes that have the same cause. If only one part of an endpoint changed, the change of the part replaces the change of the
 * endpoint. If several endpoints of a service have the same change, only the endpoint with the most requests is listed. A change that is
 * the effect of another change, such as a slow dependency, a busy event loop or a cold cache, is left out.
 */
export function groupChanges(changes: readonly Change[], series: readonly HourSeries[]): GroupedChange[] {
  const partCounts = countParts(series);
  const wholes = new Map(
    series
      .filter(({ part, signals }) => part === null && signals.includes('p50'))
      .map((one) => [buildEndpointKey(one), one]),
  );
  const ofEndpoints = [...Map.groupBy(changes, (change) => buildKey(change)).values()]
    .flatMap((all) => choosePart(all, partCounts, wholes))
    .map((change) => explainTraffic(change, series));
  const likely = ofEndpoints.filter((change) => !isOfOneCaller(change, ofEndpoints));
  const causes = likely.filter((change) => !likely.some((cause) => leadsTo(cause, change)));
  const alike = Map.groupBy(causes, ({ signal, after, before, series: { service, environment, part } }) =>
    JSON.stringify([signal, after > before, service, environment, part]),
  );
  return [...alike.values()].flatMap(splitByStart).flatMap((all) => {
    const [first, ...others] = all.toSorted((a, b) => b.requestsBefore - a.requestsBefore);
    return first === undefined ? [] : [{ ...first, also: others.map((change) => change.series) }];
  });
}

/** Splits changes into groups that began at about the same time, because changes that began at different times have different causes. */
function splitByStart(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes.toSorted((a, b) => a.start - b.start)) {
    const last = groups.at(-1);
    if (last !== undefined && isTogether(change.start, last.at(-1)?.start ?? 0)) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

/**
 * True if a dependency is slower for at least one, but for fewer than half of its callers: then the calls of these callers changed, and not
 * the dependency.
 */
function isOfOneCaller({ series, signal, start }: Change, changes: readonly Change[]): boolean {
  const { part, callers = [] } = series;
  if (part?.name !== 'dependency' || signal !== 'p50') return false;
  const slower = changes.filter((change) => isLatency(change) && isNear(change.start, start));
  const count = callers.filter((caller) =>
    slower.some((change) => buildEndpointKey(change.series) === buildEndpointKey(caller)),
  ).length;
  return count > 0 && count < callers.length / 2;
}

/** True if two changes start near enough to each other to have one cause. Arguments are hours since the epoch. */
export const isTogether = (a: number, b: number) => Math.abs(a - b) <= TOGETHER_HOURS;
/** True if two changes start near enough to each other to be cause and effect. Arguments are hours since the epoch. */
export const isNear = (a: number, b: number) => Math.abs(a - b) <= CAUSE_HOURS;
const isLatency = ({ signal, series }: Change) => series.path !== '' && isLatencySignal(signal);

/** True if `change` is an effect of `cause`. */
export function leadsTo(cause: Change, change: Change): boolean {
  const { service, environment, part } = cause.series;
  if (change.series.service !== service || change.series.environment !== environment) return false;
  if (!isNear(change.start, cause.start)) return false;
  const isOneEndpoint = buildEndpointKey(cause.series) === buildEndpointKey(change.series);
  if (change.signal === 'cpu') return cause.signal === 'eventLoopDelay' || isSpike(cause);
  // Failed calls are often retried, so a higher error rate leads to more calls.
  if (change.signal === 'calls') {
    return cause.signal === 'errorRate' && isOneEndpoint && part?.value === change.series.part?.value;
  }
  if (!isLatency(change)) return false;
  if (part?.name === 'dependency' && cause.signal === 'p50') {
    const key = buildEndpointKey(change.series);
    return cause.series.callers?.some((caller) => buildEndpointKey(caller) === key) === true;
  }
  return (
    cause.signal === 'eventLoopDelay' ||
    ((cause.signal === 'cacheMisses' || cause.signal === 'calls') && isOneEndpoint)
  );
}

/** True for a spike of traffic. */
const isSpike = ({ signal, before, after }: Change) => signal === 'requests' && after > before;

/** Returns `duration` for each percentile, because one cause raises several percentiles; returns any other signal unchanged. */
export const findFamily = (signal: Change['signal']) => (isLatencySignal(signal) ? 'duration' : signal);
const buildKey = ({ signal, series }: Change) =>
  JSON.stringify([
    findFamily(signal),
    buildEndpointKey(series),
    series.path === '' ? series.part?.value : '',
  ]);

/** Parts are only compared with parts of the same kind: countries with countries, tenants with tenants. */
const describeKind = ({ part }: HourSeries) =>
  part === null ? '' : part.name === 'attribute' ? `attribute ${part.value.split(':')[0]}` : part.name;

/** Counts the values of each kind of part, by endpoint. */
function countParts(series: readonly HourSeries[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of series) {
    if (one.part === null) continue;
    const key = `${describeKind(one)} ${buildEndpointKey(one)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/**
 * Chooses which change to report for an endpoint's metric: the change of the only affected part; otherwise the change that caused the
 * endpoint's change; otherwise the change of the whole endpoint.
 */
function choosePart(
  changes: readonly Change[],
  partCounts: ReadonlyMap<string, number>,
  series: ReadonlyMap<string, HourSeries>,
): Change[] {
  const [first] = changes;
  if (first === undefined || first.series.path === '') return [...changes];
  const whole = changes.filter((change) => change.series.part === null);
  const kinds = Map.groupBy(
    changes.filter((change) => change.series.part !== null),
    (change) => describeKind(change.series),
  );
  const only = [...kinds.values()].flatMap((all) => (all.length === 1 || isOfOneCause(all) ? all : []));
  const isClear = ({ pValue, before, after }: Change) =>
    whole.length > 0 || (pValue <= PART.pValue && after >= before * PART.ratio);
  const ofWhole = series.get(buildEndpointKey(first.series));
  const affected = only.filter(
    (change) =>
      !isCause(change) &&
      (change.series.part?.name === 'user' ||
        (partCounts.get(`${describeKind(change.series)} ${buildEndpointKey(change.series)}`) ?? 0) >= 2) &&
      isClear(change) &&
      ofWhole !== undefined &&
      isAlone(change, ofWhole),
  );
  const causes = only.filter((change) => isCause(change) && explainsRise(change, whole[0]));
  const [chosen] = [affected, causes]
    .map((some) => some.toSorted((a, b) => a.pValue - b.pValue)[0])
    .filter(Boolean);
  return chosen === undefined ? whole : [chosen];
}

/**
 * True if one cause can change several dependencies of an endpoint. True for cache misses, since a missed value can be read from several
 * servers, and for more calls, since one loop can call several servers.
 */
const isOfOneCause = ([first]: readonly Change[]) =>
  first?.signal === 'cacheMisses' || first?.signal === 'calls';

/**
 * True for a change of the requests with a certain error or a call to a certain dependency, because errors and dependencies are causes.
 * Other parts, such as a country, are only affected by a cause.
 */
const isCause = ({ series }: Change) => series.part?.name === 'error' || series.part?.name === 'dependency';

/**
 * True if the change of the part is at least half as large as the change of the whole endpoint, or if the whole endpoint did not change.
 */
function explainsRise(part: Change, whole: Change | undefined): boolean {
  return whole === undefined || part.after - part.before >= (whole.after - whole.before) / 2;
}
