/** Progress of a search, which starts with the newest traces and continues with older ones. */
export interface Progress {
  readonly startedMs: number;
  endedMs: number;
  /** Start of the searched time; undefined before the first search. */
  since: bigint | undefined;
  /** Time after `since` that is not searched yet, because more traces arrived than a request could search. */
  gap: { readonly from: bigint; readonly until: bigint } | undefined;
  /** Time of the last search for new traces. */
  newest: bigint;
  hits: Map<string, bigint>;
  isFull: boolean;
  windowTraces: number;
  /** Number of steps that the next window should have at least, even if the last statement was slow. */
  minSteps: number;
}

/**
 * A statement reads whole granules (ClickHouse's smallest unit of reading) of up to 8,192 steps from each part of the table that overlaps
 * the window. Windows with fewer steps than this would read most values several times.
 */
const MIN_STEPS = 120_000;

export function startProgress(startedMs: number, windowTraces: number): Progress {
  return {
    startedMs,
    endedMs: 0,
    since: undefined,
    gap: undefined,
    newest: 0n,
    hits: new Map(),
    isFull: false,
    windowTraces,
    minSteps: MIN_STEPS,
  };
}

/** Returns the start of the time that was searched without a gap; undefined before the first search. */
export function findSearchedSince({ since, gap }: Progress): bigint | undefined {
  return gap?.until ?? since;
}

/** A time range that was searched from the end backwards; `from` is inclusive, `until` exclusive. */
export interface SearchedPart {
  readonly part: Progress;
  readonly from: bigint;
  readonly until: bigint;
}

/**
 * Adds a searched range, which contains new traces or a part of the gap, to the progress of a search. At most `most` hits remain: the
 * newest ones.
 */
export function addPart(progress: Progress, { part, from, until }: SearchedPart, most: number): void {
  for (const [id, micros] of part.hits) progress.hits.set(id, micros);
  progress.windowTraces = part.windowTraces;
  progress.minSteps = part.minSteps;
  const reached = part.since ?? until;
  if (reached > from) progress.gap = { from: progress.gap?.from ?? from, until: reached };
  else if (progress.gap?.from === from) progress.gap = undefined;
  if (part.isFull) endAt(progress, reached, most);
  keepNewest(progress, most);
}

/** Ends a search at `since` if the hits since then reach the limit. Older hits are then not listed. */
function endAt(progress: Progress, since: bigint, most: number): void {
  const newer = new Map([...progress.hits].filter(([, micros]) => micros >= since));
  if (newer.size >= most) Object.assign(progress, { since, gap: undefined, hits: newer, isFull: true });
}

function keepNewest(progress: Progress, most: number): void {
  const sorted = [...progress.hits].sort(([, one], [, other]) => (one < other ? 1 : -1));
  const dropped = sorted[most];
  if (dropped === undefined) return;
  const [, last] = dropped;
  const since = last + 1n;
  const { gap } = progress;
  const hits = new Map(sorted.filter(([, micros]) => micros > last));
  const from = gap === undefined || gap.from < since ? since : gap.from;
  Object.assign(progress, {
    since,
    hits,
    isFull: true,
    gap: gap === undefined || gap.until <= since ? undefined : { from, until: gap.until },
  });
}
