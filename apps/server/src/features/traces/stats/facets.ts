import type { TraceFacets } from '@throughline/contract';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { Conditions } from '../list/conditions.ts';
import type { ListQuery } from '../list/list-query.ts';
import { cutTime } from '../list/pieces.ts';
import { buildConditions } from '../list/selection-store.ts';
import {
  countByTime,
  countUsers,
  countValues,
  type Extent,
  type FacetValue,
  findExtent,
} from './facets-store.ts';

/** If more traces match, facets are counted on a sample. Counting half a million matches takes 0.1 s. */
const MAX_COUNTED_ROWS = 2_000_000;
const MAX_STATUS_CODES = 50;
const MAX_METHODS = 20;
const MAX_PATHS = 20;

/** There are ten buckets per factor of ten, from 10 microseconds to beyond the longest duration. Shorter durations share one bucket. */
const BUCKETS_A_DECADE = 10;
const DECADES = { first: 1, last: 14 } as const;
/** Starts of the duration buckets in whole microseconds, and the end of the last bucket. */
export const DURATION_BOUNDS: readonly number[] = [
  0,
  ...Array.from({ length: (DECADES.last - DECADES.first) * BUCKETS_A_DECADE + 1 }, (_bound, index) =>
    Math.round(10 ** (DECADES.first + index / BUCKETS_A_DECADE)),
  ),
];

/** Counts the traces of a list by facet and over time. `bars` is the maximum number of time buckets. */
export async function findFacets(
  store: TraceStore,
  projects: readonly ShownProject[],
  query: ListQuery,
  bars: number,
  maxCountedRows = MAX_COUNTED_ROWS,
): Promise<TraceFacets> {
  if (projects.length === 0) return NOTHING;
  const conditions = await buildConditions(store, projects, query);
  const extent = await findExtent(store, conditions);
  if (extent.requests === 0) return NOTHING;
  const oneIn = Math.ceil(extent.requests / maxCountedRows);
  const [values, times] = await Promise.all([
    countValues(store, conditions, { bounds: DURATION_BOUNDS, oneIn }),
    readTimes(store, conditions, { query, extent, bars }),
  ]);
  const of = (facet: FacetValue['facet'], most: number) =>
    values
      .filter((value) => value.facet === facet)
      .slice(0, most)
      .map((value) => ({ value, counts: scaleCounts(value, oneIn) }));
  return {
    total: extent.requests,
    errors: extent.failed,
    sampledOneIn: oneIn,
    statusCodes: of('status', MAX_STATUS_CODES).map(({ value, counts }) => ({
      statusCode: value.status_code || null,
      ...counts,
    })),
    methods: of('method', MAX_METHODS).map(({ value, counts }) => ({ method: value.verb, ...counts })),
    paths: of('path', MAX_PATHS).map(({ value, counts }) => ({
      path: value.place,
      route: value.template || null,
      ...counts,
    })),
    durations: buildDurations(of('duration', DURATION_BOUNDS.length)),
    times,
  };
}

/** Number of requests in a list, number of known users who sent them, and the start of the first request in epoch microseconds. */
export interface ListExtent {
  readonly requests: number;
  readonly users: number;
  readonly first: bigint;
}

export async function findListExtent(
  store: TraceStore,
  projects: readonly ShownProject[],
  query: ListQuery,
): Promise<ListExtent> {
  const conditions = await buildConditions(store, projects, query);
  const [{ requests, first_micros }, users] = await Promise.all([
    findExtent(store, conditions),
    countUsers(store, conditions),
  ]);
  return { requests, users, first: first_micros };
}

const NOTHING: TraceFacets = {
  total: 0,
  errors: 0,
  sampledOneIn: 1,
  statusCodes: [],
  methods: [],
  paths: [],
  durations: [],
  times: [],
};

type Counts = Pick<TraceFacets, 'errors'> & { readonly count: number };

function scaleCounts(value: Pick<FacetValue, 'requests' | 'failed'> | undefined, oneIn: number): Counts {
  return { count: (value?.requests ?? 0) * oneIn, errors: (value?.failed ?? 0) * oneIn };
}

/** Returns all buckets between the first and the last bucket that contain traces, including these two and empty ones. */
function buildDurations(
  found: readonly { readonly value: FacetValue; readonly counts: Counts }[],
): TraceFacets['durations'] {
  const byBound = new Map(found.map(({ value, counts }) => [value.bucket, counts]));
  const first = Math.min(...byBound.keys());
  const last = Math.max(...byBound.keys());
  return DURATION_BOUNDS.flatMap((bound, index) => {
    if (bound < first || bound > last) return [];
    const next = DURATION_BOUNDS[index + 1] ?? Number.MAX_SAFE_INTEGER;
    return [{ from: bound / 1000, to: next / 1000, ...(byBound.get(bound) ?? scaleCounts(undefined, 1)) }];
  });
}

async function readTimes(
  store: TraceStore,
  conditions: Conditions,
  { query, extent, bars }: { readonly query: ListQuery; readonly extent: Extent; readonly bars: number },
): Promise<TraceFacets['times']> {
  const from = query.from ?? extent.first_micros;
  const until = query.until ?? extent.last_micros + 1n;
  const { widthMicros, pieces } = cutTime(from, until, bars);
  const counted = await countByTime(store, conditions, { fromMicros: from, widthMicros });
  // Traces that arrived during the query, outside the range, have no bucket.
  const byPiece = new Map(counted.map((piece) => [piece.piece, piece]));
  return pieces.map((piece, index) => ({ ...piece, ...scaleCounts(byPiece.get(index), 1) }));
}
