import { MIN_MICROS, type ProjectStats, type TraceFigures } from '@throughline/contract';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { isSearched, type ListQuery } from '../list/list-query.ts';
import { cutTime, endPeriod } from '../list/pieces.ts';
import { buildConditions } from '../list/selection-store.ts';
import { findExtent, type Sums } from './facets-store.ts';
import { BEFORE, hasTraceFrom, sumByTime } from './stats-store.ts';

/**
 * Computes the stats of a list's traces: in total, per time bucket (at most `most` buckets), and for the previous period of the same
 * length.
 */
export async function findFigures(
  store: TraceStore,
  projects: readonly ShownProject[],
  query: ListQuery,
  { most, nowMicros }: { readonly most: number; readonly nowMicros: bigint },
): Promise<TraceFigures> {
  const period = projects.length === 0 ? undefined : await findPeriod(store, projects, query, nowMicros);
  if (period === undefined) return { figures: computeStats(undefined), before: null, pieces: [] };
  const { from, until } = period;
  const earlier = from - (until - from);
  // A search over captured values has searched only the selected range, so it cannot count the matches of the period before.
  const hasBefore =
    query.from !== undefined && !isSearched(query) && (await hasTracesBefore(store, projects, earlier));
  const conditions = await buildConditions(store, projects, { ...query, from: hasBefore ? earlier : from });
  const { widthMicros, pieces } = cutTime(from, until, most);
  const sums = await sumByTime(store, conditions, { fromMicros: from, widthMicros, count: pieces.length });
  const byPiece = new Map(sums.map((piece) => [piece.piece, piece]));
  return {
    figures: computeStats(sums.filter(({ piece }) => piece !== BEFORE).reduce(addUp, NOTHING)),
    before: hasBefore ? computeStats(byPiece.get(BEFORE)) : null,
    pieces: pieces.map((piece, index) => ({ ...piece, ...computeStats(byPiece.get(index)) })),
  };
}

/** Converts sums to percentages and milliseconds. */
export function computeStats(sums: Sums | undefined): ProjectStats {
  const { requests, failed, took_micros } = sums ?? NOTHING;
  return {
    totalTraces: requests,
    successRate: requests === 0 ? null : (100 * (requests - failed)) / requests,
    errorCount: failed,
    avgDuration: requests === 0 ? null : took_micros / requests / 1000,
  };
}

const NOTHING: Sums = { requests: 0, failed: 0, took_micros: 0 };

function addUp(sum: Sums, more: Sums): Sums {
  return {
    requests: sum.requests + more.requests,
    failed: sum.failed + more.failed,
    took_micros: sum.took_micros + more.took_micros,
  };
}

/** Finds the period of the stats in epoch microseconds; undefined if the query sets no period and there are no traces. */
async function findPeriod(
  store: TraceStore,
  projects: readonly ShownProject[],
  query: ListQuery,
  nowMicros: bigint,
): Promise<{ readonly from: bigint; readonly until: bigint } | undefined> {
  const { from, until } = query;
  if (from !== undefined) return { from, until: until ?? endPeriod(from, nowMicros) };
  const extent = await findExtent(store, await buildConditions(store, projects, query));
  if (extent.requests === 0) return undefined;
  return { from: extent.first_micros, until: until ?? extent.last_micros + 1n };
}

/**
 * True if `micros` is within every project's retention, and a visible trace started at or before this time. Then no trace since `micros`
 * has expired.
 */
async function hasTracesBefore(
  store: TraceStore,
  projects: readonly ShownProject[],
  micros: bigint,
): Promise<boolean> {
  return (
    micros >= MIN_MICROS &&
    projects.every(({ shownSince }) => shownSince <= micros) &&
    hasTraceFrom(store, projects, micros)
  );
}
