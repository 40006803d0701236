import type { TraceRow } from '@throughline/contract';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLiveFeed } from '../../../shell/live/use-live-feed.ts';
import { type ListFilters, useListCache } from '../queries.ts';
import { countFresh } from '../trace-pages.ts';

/**
 * New rows are inserted in batches at this interval, in milliseconds. A busy service sends hundreds of rows per second, and each insertion
 * renders the list.
 */
const GATHER_MS = 250;
/** Minimum interval between two fetches of the stats above the list. Milliseconds. */
const FIGURES_EVERY_MS = 1_000;
/**
 * If the waiting rows and the rows of the first page together are more than this, the waiting rows are dropped and the newest page is
 * fetched, which is cheaper.
 */
const MAX_ROWS = 2_000;

export interface LiveListOptions {
  /** True while the viewer reads the list, so that no row may move. New rows wait until the viewer requests the rows or stops reading. */
  readonly reading: boolean;
  /** True if the live feed is off; missed rows are fetched when it resumes. */
  readonly paused: boolean;
}

/** Updates a cached list from the live feed. Waiting rows are counted, and inserted by `putIn` or when `reading` becomes false. */
export function useLiveList(filters: ListFilters, { reading, paused }: LiveListOptions) {
  const cache = useListCache(filters);
  const waiting = useRef<TraceRow[]>([]);
  const [waitingCount, setWaitingCount] = useState(0);
  const rowsTimer = useTimer();
  const figuresTimer = useTimer();

  const putIn = () => {
    const rows = waiting.current;
    waiting.current = [];
    setWaitingCount(0);
    const listed = cache.read()?.pages[0]?.traces.length ?? 0;
    if (rows.length + listed > MAX_ROWS) cache.fetchAgain();
    else if (rows.length > 0) cache.insert(rows);
  };
  const fetchAll = () => {
    cache.fetchAgain();
    cache.refreshFigures();
  };
  const settle = useEffectEvent(() => {
    if (reading) setWaitingCount(countFresh(cache.read(), waiting.current));
    else putIn();
  });
  const refreshFigures = useEffectEvent(() => cache.refreshFigures());

  const state = useLiveFeed(filters, {
    paused,
    onTrace: (row) => {
      if (waiting.current.length <= MAX_ROWS) waiting.current.push(row);
      startOnce(rowsTimer, GATHER_MS, () => settle());
      startOnce(figuresTimer, FIGURES_EVERY_MS, () => refreshFigures());
    },
    onGap: fetchAll,
  });

  useEffect(() => {
    if (!reading) settle();
  }, [reading]);

  // New filters mean another list, so the rows that wait for the previous list are dropped.
  const list = JSON.stringify(filters);
  const listBefore = useRef(list);
  useEffect(() => {
    if (listBefore.current === list) return;
    listBefore.current = list;
    waiting.current = [];
    setWaitingCount(0);
  }, [list]);

  const wasPaused = useRef(paused);
  const catchUp = useEffectEvent(fetchAll);
  useEffect(() => {
    if (wasPaused.current && !paused) catchUp();
    wasPaused.current = paused;
  }, [paused]);

  return { state, waitingCount, putIn };
}

type Timer = RefObject<ReturnType<typeof setTimeout> | undefined>;

function useTimer(): Timer {
  const timer: Timer = useRef(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return timer;
}

/** Runs `act` once after `ms` milliseconds. Until then, further calls with the same timer have no effect. */
function startOnce(timer: Timer, ms: number, act: () => void): void {
  timer.current ??= setTimeout(() => {
    timer.current = undefined;
    act();
  }, ms);
}
