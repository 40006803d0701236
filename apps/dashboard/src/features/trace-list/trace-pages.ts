import type { InfiniteData } from '@tanstack/react-query';
import type { TraceRow, TraceSort, ValueSearch } from '@throughline/contract';

/** A page of the list. `total` is the number of all matches. */
export interface TracePage {
  readonly traces: TraceRow[];
  readonly total: number;
  readonly nextCursor: string | null;
  readonly search?: ValueSearch | undefined;
}

export type TracePages = InfiniteData<TracePage, unknown>;

type CompareRows = (a: TraceRow, b: TraceRow) => number;

/** Compares rows as the server sorts them: slowest, most steps or newest first. */
const COMPARISONS: Readonly<Record<TraceSort, CompareRows>> = {
  time: compareStarts,
  duration: (a, b) => b.timing.duration - a.timing.duration || compareStarts(a, b),
  steps: (a, b) => b.stepCount - a.stepCount || compareStarts(a, b),
};

/** Puts the newer trace first, and of two traces with the same start, the larger id. */
function compareStarts(a: TraceRow, b: TraceRow): number {
  if (a.timing.startTime !== b.timing.startTime) return a.timing.startTime < b.timing.startTime ? 1 : -1;
  if (a._id === b._id) return 0;
  return a._id < b._id ? 1 : -1;
}

/** Returns all loaded rows without duplicates, in order. */
export function listRows(pages: TracePages, sort: TraceSort): TraceRow[] {
  const compare = COMPARISONS[sort];
  const rows = pages.pages.flatMap((page) => page.traces);
  // Rows are usually in order and without duplicates; only the live feed changes that. Checking this first avoids sorting tens of thousands
  // of rows after a long scroll.
  const ordered = rows.every((row, index) => {
    const before = rows[index - 1];
    return before === undefined || compare(before, row) < 0;
  });
  if (ordered) return rows;
  const first = new Map<string, TraceRow>();
  for (const row of rows) if (!first.has(row._id)) first.set(row._id, row);
  return [...first.values()].sort(compare);
}

/** Returns the total that the last loaded page reports, or the number of listed rows if this number is larger. */
export function countTotal(pages: TracePages, sort: TraceSort): number {
  const listed = pages.pages.reduce((sum, { traces }) => sum + traces.length, 0);
  // A row that is in two pages is shown once, so count the rows without duplicates.
  const least = listed > (pages.pages.at(-1)?.total ?? 0) ? listRows(pages, sort).length : 0;
  return Math.max(pages.pages.at(-1)?.total ?? 0, least);
}

/**
 * Inserts rows of the live feed into the pages. A row that is already listed is replaced, since its trace received more steps. If a new row
 * belongs after all loaded rows and more pages exist, the new row is only counted: the page to which the row belongs will contain it when
 * that page is loaded.
 */
export function withLiveRows(pages: TracePages, arrived: readonly TraceRow[], sort: TraceSort): TracePages {
  const compare = COMPARISONS[sort];
  const [first] = pages.pages;
  if (first === undefined || arrived.length === 0) return pages;
  const newest = new Map(arrived.map((row) => [row._id, row]));
  const known = new Set<string>();
  const updated = pages.pages.map((page) => ({
    ...page,
    traces: page.traces.map((row) => {
      known.add(row._id);
      return newest.get(row._id) ?? row;
    }),
  }));
  const fresh = [...newest.values()].filter((row) => !known.has(row._id));
  const last = pages.pages.at(-1)?.nextCursor === null ? undefined : listRows(pages, sort).at(-1);
  const shown = fresh.filter((row) => last === undefined || compare(row, last) < 0);
  return {
    ...pages,
    pages: updated.map((page, index) => ({
      ...page,
      total: page.total + fresh.length,
      traces: index === 0 ? [...shown, ...page.traces].sort(compare) : page.traces,
    })),
  };
}

/** Counts the given rows that the loaded pages do not contain. */
export function countFresh(pages: TracePages | undefined, rows: readonly TraceRow[]): number {
  const known = new Set(pages?.pages.flatMap((page) => page.traces.map((row) => row._id)));
  return new Set(rows.map((row) => row._id).filter((id) => !known.has(id))).size;
}

/** Returns the duration of a full bar: the rows' 99th percentile, so that an outlier does not shorten all other bars. */
export function findFullBarDuration(rows: readonly TraceRow[]): number {
  const durations = rows.map((row) => row.timing.duration).sort((a, b) => a - b);
  return durations[Math.max(0, Math.ceil(durations.length * 0.99) - 1)] ?? 0;
}
