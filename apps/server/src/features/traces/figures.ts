import { MIN_MICROS, type ProjectStats, type TraceFigures } from '@throughline/contract';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { findExtent, type Sums } from './facets-store.ts';
import { BEFORE, hasTraceFrom, sumByTime } from './figures-store.ts';
import type { ListQuery } from './list-query.ts';
import { cutTime } from './pieces.ts';
import { buildConditions } from './selection-store.ts';

/** What a list's traces add up to: in all, in `most` pieces of time at most, and in the period of the same length before. */
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
  const hasBefore = query.from !== undefined && (await reachesTo(store, projects, earlier));
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

/** Percent and milliseconds of what was counted. */
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

/** From when until when figures are, epoch µs; undefined where there is nothing from which to tell. */
async function findPeriod(
  store: TraceStore,
  projects: readonly ShownProject[],
  query: ListQuery,
  nowMicros: bigint,
): Promise<{ readonly from: bigint; readonly until: bigint } | undefined> {
  const { from, until } = query;
  if (from !== undefined) {
    // A start that is yet to come has a stretch of time too.
    return { from, until: until ?? (nowMicros > from ? nowMicros : from + 1n) };
  }
  const extent = await findExtent(store, await buildConditions(store, projects, query));
  if (extent.requests === 0) return undefined;
  return { from: extent.first_micros, until: until ?? extent.last_micros + 1n };
}

/** Whether traces are shown from as far back as that: none of them is expired, and there were some. */
async function reachesTo(
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
